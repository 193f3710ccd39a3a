import MLCCore
import MLCGraph
import MLCOps
import MLCText

extension StringConcat: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let output = context.output()
    let shape = context.program[output].shape
    let (x, y) = (context.input("x"), context.input("y"))
    let operands = [try context.stretched(x, "x", to: shape), try context.stretched(y, "y", to: shape)]
    context.text(.concat, extents: [shape.reduce(1, *)], reading: operands, writing: [output])
  }
}

extension LoweringContext {
  /// `tensor` broadcast to `shape`.
  fileprivate mutating func stretched(
    _ tensor: TensorID,
    _ name: String,
    to shape: [Dim]
  ) throws(Diagnostic) -> TensorID {
    requireBroadcast(program[tensor].shape, to: shape)
    if program[tensor].shape == shape { return tensor }
    let result = temporary(name, .string, shape)
    let reader = program
    try map("broadcast", to: result) { (params, axes) throws(Diagnostic) in
      reader.element(tensor, &params, axes, in: shape)
    }
    return result
  }
}
