import MLCOps

/// The running sum from the other end.
extension Cumsum: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    var other = self
    other.reverse.toggle()
    return g.applying(other)
  }
}
