import MLCCore
import MLCGraph
import MLCOps

extension Ensure: Lowerable {
  /// A condition known here leaves its argument; one that the inputs' sizes decide is required of them; another is an
  /// index into an axis of extent 1, out of bounds where it is violated.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    context.requireEqual(context.fact("holds").type.elementCount, 1)
    if context.fact("holds").value != nil { return context.setOutput(to: x) }
    if let condition = context.fact("holds").elements?.first, context.requireOfSizes(condition) {
      return context.setOutput(to: x)
    }
    let holds = context.input("holds")
    let source = context.alias(x, [1] + context.program[x].shape)
    let output = context.output()
    let place = context.program[holds].shape.map { _ in Index.constant(0) }
    try context.map("ensure", to: output) { (params, axes) throws(Diagnostic) in
      let number = Scalar.select(params.load(holds, place), .integer(0, .int64), .integer(1, .int64))
      return params.load(source, [.value(number)] + axes)
    }
  }
}
