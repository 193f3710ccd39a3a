import MLCCore
import MLCGraph

/// An operator whose output element is a function of the input elements at the same (broadcast) position.
package protocol ElementwiseLowerable: Lowerable {
  /// The element, given those of every port's values in order, absent optionals left out. `dtype` is the output's.
  func scalar(_ x: [Scalar], dtype: DType) throws(Diagnostic) -> Scalar
}

extension ElementwiseLowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    var operands: [TensorID] = []
    for value in context.operation.inputs.joined() { operands.append(context.tensor(of: value)) }
    let output = context.output()
    let (shape, dtype) = (context.program[output].shape, context.program[output].dtype)
    for operand in operands { context.requireBroadcast(context.program[operand].shape, to: shape) }
    let reader = context.program
    try context.map(Self.name, to: output) { (params, axes) throws(Diagnostic) in
      try scalar(operands.map { reader.element($0, &params, axes, in: shape) }, dtype: dtype)
    }
  }
}
