import MLCCore
import MLCGraph
import MLCOps

extension Cumsum: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) { try context.cumulate(self, .sum) }
}

extension Cumprod: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) { try context.cumulate(self, .product) }
}

extension LoweringContext {
  fileprivate mutating func cumulate(_ op: some Cumulative, _ kind: Routine.Cumulation.Kind) throws(Diagnostic) {
    let (x, output) = (input("x"), output())
    let shape = program[x].shape
    let lines = Routine.Lines(shape, axis: try normalized(axis: op.axis, rank: shape.count, operation.name))
    var params = KernelParams()
    _ = params.read(alias(x, lines.extents))
    _ = params.write(alias(output, lines.extents))
    let routine = Routine.Cumulation(kind, lines, exclusive: op.exclusive, reverse: op.reverse)
    append(operation.name, params, .routine(.cumulation(routine)))
  }
}
