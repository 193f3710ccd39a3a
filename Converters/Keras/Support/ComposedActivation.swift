import MLCCore
import MLCGraph
import MLCOps

/// Activations of Keras 3 that are several operations.
struct ComposedActivation {
  let name: String

  init?(name: String) {
    let known = [
      "glu", "hard_shrink", "soft_shrink", "tanh_shrink", "squareplus", "sparse_plus", "sparsemax", "log_sigmoid",
      "sparse_sigmoid",
    ]
    guard known.contains(name) else { return nil }
    self.name = name
  }

  func apply(to x: KerasTensor, in context: inout KerasContext) throws(Diagnostic) -> KerasTensor {
    if name == "glu" { return KerasTensor(try gatedLinearUnit(x, &context)) }
    if name == "sparsemax" { return KerasTensor(try sparsemax(try context.plain(x), &context)) }
    var result = x
    result.value = try elementwise(x.value, &context)
    return result
  }

  private func elementwise(_ x: ValueID, _ context: inout KerasContext) throws(Diagnostic) -> ValueID {
    switch name {
    // x where |x| > ½
    case "hard_shrink":
      let half = context.scalar(0.5, like: x)
      let isLarge = try context.emit(Greater(), try context.emit(Abs(), x), half)
      return try context.emit(Select(), isLarge, x, context.scalar(0, like: x))
    // what exceeds ±½
    case "soft_shrink": return try context.emit(Sub(), x, try context.emit(Clip(alpha: -0.5, beta: 0.5), x))
    case "tanh_shrink": return try context.emit(Sub(), x, try context.emit(Tanh(), x))
    // (x + √(x² + 4)) / 2
    case "squareplus":
      let squares = try context.emit(Add(), try context.emit(Mul(), x, x), context.scalar(4, like: x))
      let sum = try context.emit(Add(), x, try context.emit(Sqrt(), squares))
      return try context.emit(Mul(), sum, context.scalar(0.5, like: x))
    // (x + 1)² / 4 between −1 and 1, x above
    case "sparse_plus":
      let middle = try context.emit(Clip(alpha: -1, beta: 1), x)
      let root = try context.emit(SigmoidHard(alpha: 0.5, beta: 0.5), middle)
      let above = try context.emit(Relu(), try context.emit(Sub(), x, context.scalar(1, like: x)))
      return try context.emit(Add(), try context.emit(Mul(), root, root), above)
    case "sparse_sigmoid": return try context.emit(SigmoidHard(alpha: 0.5, beta: 0.5), x)
    // log_sigmoid
    default: return try context.emit(Neg(), try context.emit(Softplus(), try context.emit(Neg(), x)))
    }
  }

  /// The first half of the channels times the sigmoid of the second.
  private func gatedLinearUnit(_ x: KerasTensor, _ context: inout KerasContext) throws(Diagnostic) -> ValueID {
    let halves = try context.emit(Split(axis: -1, count: 2), all: [[try context.plain(x)]])
    return try context.emit(Mul(), halves[0], try context.emit(Sigmoid(), halves[1]))
  }

  /// max(x − τ, 0). With x in falling order and s its running sums, the first k remain where 1 + k·x > s; τ = (Σ s − 1)
  /// / k over those. That is Keras' sum of running sums on TensorFlow, not the last of them as in Martins and Astudillo
  /// (2016).
  private func sparsemax(_ x: ValueID, _ context: inout KerasContext) throws(Diagnostic) -> ValueID {
    guard let count = context.fact(x).shape.last?.constant, count > 0 else {
      throw Diagnostic("keras.activation", "sparsemax needs a number of channels", kind: .unsupported)
    }
    let dtype = context.fact(x).dtype
    let sorted = try context.emit(TopK(), all: [[x], [context.constant(Tensor.scalar(.int32, count))]])[0]
    var sum = Cumsum()
    sum.axis = context.fact(x).rank - 1
    let sums = try context.emit(sum, sorted)
    let ranks = context.constant(Tensor(dtype, [count], (1...count).map { Double($0) }))
    let one = context.scalar(1, like: x)
    let bound = try context.emit(Add(), try context.emit(Mul(), ranks, sorted), one)
    let remains = try context.emit(Greater(), bound, sums)
    let zero = context.scalar(0, like: x)
    let kept = try context.emit(
      ReduceSum(axes: [-1], keepDims: true),
      try context.emit(Select(), remains, sums, zero)
    )
    let size = try context.emit(ReduceSum(axes: [-1], keepDims: true), try context.emit(Select(), remains, one, zero))
    let tau = try context.emit(RealDiv(), try context.emit(Sub(), kept, one), size)
    return try context.emit(Relu(), try context.emit(Sub(), x, tau))
  }
}
