import MLCCore
import MLCGraph
import MLCOps

extension Cumsum: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, output) = (context.input("x"), context.output())
    let shape = context.program[x].shape
    let lines = Routine.Lines(shape, axis: try normalized(axis: axis, rank: shape.count, Self.name))
    var params = KernelParams()
    _ = params.read(context.alias(x, lines.extents))
    _ = params.write(context.alias(output, lines.extents))
    let routine = Routine.Cumsum(lines, exclusive: exclusive, reverse: reverse)
    context.append("cumsum", params, .routine(.cumsum(routine)))
  }
}
