import MLCCore
import MLCGraph
import MLCOps

extension Cumsum: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, output) = (context.input("x"), context.output())
    let shape = context.program[x].shape
    let line = LineShape(shape, axis: try normalized(axis: axis, rank: shape.count, Self.name))
    var params = KernelParams()
    _ = params.read(context.alias(x, line.extents(line.length)))
    _ = params.write(context.alias(output, line.extents(line.length)))
    let options = ["exclusive": exclusive ? "1" : "0", "reverse": reverse ? "1" : "0"]
    context.append("cumsum", params, .routine(Routine("cumsum", sizes: line.extents(line.length), options: options)))
  }
}

/// A shape as lines along one axis: `[outer, length, inner]`.
struct LineShape {
  var outer: Dim, length: Dim, inner: Dim

  init(_ shape: [Dim], axis: Int) {
    outer = shape[..<axis].reduce(1, *)
    length = shape[axis]
    inner = shape[(axis + 1)...].reduce(1, *)
  }

  func extents(_ length: Dim) -> [Dim] { [outer, length, inner] }
}
