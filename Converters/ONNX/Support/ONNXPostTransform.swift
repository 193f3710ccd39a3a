import MLCCore
import MLCGraph
import MLCOps

/// What happens to the scores of a classical model at its end.
enum ONNXPostTransform: String, CaseIterable {
  case none = "NONE"
  case softmax = "SOFTMAX"
  case logistic = "LOGISTIC"
  case softmaxZero = "SOFTMAX_ZERO"
  case probit = "PROBIT"

  init(_ node: ONNXNode) throws(Diagnostic) {
    let name = try node.string("post_transform", default: "NONE")
    guard let transform = ONNXPostTransform(rawValue: name) else {
      throw Diagnostic("onnx.post-transform", "no transformation of scores is called '\(name)'")
    }
    self = transform
  }

  /// Each row of `scores` transformed.
  func apply(_ scores: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    switch self {
    case .none: scores
    case .softmax: try context.emit(Softmax(axis: -1), scores)
    case .logistic: try context.emit(Sigmoid(), scores)
    case .softmaxZero: try Self.softmaxZero(scores, in: &context)
    case .probit: try Self.probit(scores, in: &context)
    }
  }

  /// A softmax over the scores beyond ±1e-7; those within are multiplied by e to the power of minus the greatest, and
  /// divided by the same sum.
  private static func softmaxZero(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let greatest = try context.emit(ReduceMax(axes: [-1], keepDims: true), x)
    let power = try context.emit(Exp(), try context.emit(Sub(), x, greatest))
    let scale = try context.emit(Exp(), try context.emit(Neg(), greatest))
    let size = try context.emit(Abs(), x)
    let counts = try context.emit(Greater(), size, try context.number(1e-7, like: x))
    let counted = try context.emit(Select(), counts, power, try context.number(0, like: x))
    let sum = try context.emit(ReduceSum(axes: [-1], keepDims: true), counted)
    let small = try context.emit(Mul(), x, scale)
    return try context.emit(RealDiv(), try context.emit(Select(), counts, power, small), sum)
  }

  /// √2 · erf⁻¹(2·x − 1) by Winitzki's approximation with a = 0.147, computed in fp64: its differences cancel near ½.
  private static func probit(_ scores: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let x = try context.cast(scores, to: .float64)
    let one = try context.number(1, like: x)
    let y = try context.emit(Sub(), try context.scaled(x, by: 2), one)
    let (less, more) = (try context.emit(Sub(), one, y), try context.emit(Add(), one, y))
    let log = try context.emit(Log(), try context.emit(Mul(), less, more))
    let offset = try context.number(2 / (3.14159 * 0.147), like: x)
    let v = try context.emit(Add(), try context.scaled(log, by: 0.5), offset)
    let square = try context.emit(Sub(), try context.emit(Square(), v), try context.scaled(log, by: 1 / 0.147))
    let root = try context.emit(Sqrt(), try context.emit(Sub(), try context.emit(Sqrt(), square), v))
    let isBelow = try context.emit(Less(), y, try context.number(0, like: x))
    let signed = try context.emit(Select(), isBelow, try context.emit(Neg(), root), root)
    return try context.cast(try context.scaled(signed, by: 1.41421356), to: context.fact(scores).dtype)
  }
}
