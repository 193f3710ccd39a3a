import MLCOps

extension Reverse: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.applying(self) }
}
