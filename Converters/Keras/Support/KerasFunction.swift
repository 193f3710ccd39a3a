import MLCGraph
import MLCOps

/// A function of tensors that functional models hold among their layers.
enum KerasFunction: Sendable {
  /// Of one tensor, element by element.
  case unary(any Operator)
  /// Of two tensors, or a tensor and a number, which broadcast.
  case binary(any Operator)
  /// Over the axes `axis`, all when there are none.
  case reduction(any (Operator & Reduction).Type)

  /// The class of Keras 3's operation, the functions of TensorFlow that Keras 2 calls, and what they are.
  private static let table: [(operation: String, functions: [String], meaning: KerasFunction)] = [
    ("Add", ["math.add", "__operators__.add"], .binary(Add())),
    ("Subtract", ["math.subtract"], .binary(Sub())),
    ("Multiply", ["math.multiply"], .binary(Mul())),
    ("TrueDivide", ["math.truediv"], .binary(RealDiv())),
    ("Divide", ["math.divide"], .binary(RealDiv())),
    ("Power", ["math.pow"], .binary(Pow())),
    ("Maximum", ["math.maximum"], .binary(Maximum())),
    ("Minimum", ["math.minimum"], .binary(Minimum())),
    ("Negative", ["math.negative"], .unary(Neg())),
    ("Absolute", ["math.abs"], .unary(Abs())),
    ("Exp", ["math.exp"], .unary(Exp())),
    ("Log", ["math.log"], .unary(Log())),
    ("Sqrt", ["math.sqrt"], .unary(Sqrt())),
    ("Rsqrt", ["math.rsqrt"], .unary(Rsqrt())),
    ("Square", ["math.square"], .unary(Square())),
    ("Sin", ["math.sin"], .unary(Sin())),
    ("Cos", ["math.cos"], .unary(Cos())),
    ("Tanh", ["math.tanh"], .unary(Tanh())),
    ("Sigmoid", ["math.sigmoid"], .unary(Sigmoid())),
    ("Relu", ["nn.relu"], .unary(Relu())),
    ("ConvertToTensor", ["convert_to_tensor"], .unary(Identity())),
    ("Mean", ["math.reduce_mean"], .reduction(ReduceMean.self)),
    ("Sum", ["math.reduce_sum"], .reduction(ReduceSum.self)),
    ("Max", ["math.reduce_max"], .reduction(ReduceMax.self)),
    ("Min", ["math.reduce_min"], .reduction(ReduceMin.self)),
  ]

  /// By operation and by function.
  private static let byName: [String: KerasFunction] = Dictionary(
    table.flatMap { row in ([row.operation] + row.functions).map { ($0, row.meaning) } },
    uniquingKeysWith: { first, _ in first }
  )

  /// What the operation of Keras 3 or the function of TensorFlow is; `nil` when mlc does not have it.
  static func named(_ name: String) -> KerasFunction? { byName[name] }
}
