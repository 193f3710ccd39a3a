import MLCCore
import MLCGraph
import MLCOps

extension KerasContext {
  /// Appends an operation named after the layer. Each argument is one value or none.
  package mutating func emit(_ op: any Operator, _ inputs: ValueID?...) throws(Diagnostic) -> ValueID {
    try emit(op, all: inputs.map { $0.map { [$0] } ?? [] })[0]
  }

  /// Appends an operation with variadic arguments or several outputs.
  ///
  /// On tensors of 16 bits it computes in float32 and its result is rounded: the arithmetic of a layer whose policy is
  /// `mixed_float16` or the like, whatever is fused with what. Operations that only choose among numbers stay as they
  /// are.
  package mutating func emit(_ op: any Operator, all inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    let halves = inputs.joined().map { fact($0).dtype }.filter { $0.isHalf }
    guard let half = halves.first, !op.onlyChooses else { return try record(op, inputs) }
    var widened: [[ValueID]] = []
    for argument in inputs {
      var values: [ValueID] = []
      for value in argument {
        values.append(fact(value).dtype.isHalf ? try record(Cast(.float32), [[value]])[0] : value)
      }
      widened.append(values)
    }
    var results: [ValueID] = []
    for result in try record(op, widened) {
      results.append(fact(result).dtype == .float32 ? try record(Cast(half), [[result]])[0] : result)
    }
    return results
  }

  private mutating func record(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs, names: [layer.path], origin: origin)
  }
}

extension KerasContext: OperationBuilder {
  package mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try emit(op, all: inputs)[0]
  }
  package mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try emit(op, all: inputs)
  }
  package mutating func list(_ numbers: [Int]) -> ValueID { constant(ints: numbers, "list") }
}

extension DType {
  /// Whether it is floating point of 16 bits.
  var isHalf: Bool { self == .float16 || self == .bfloat16 }
}

extension Operator {
  /// Whether every element of the result is one of the arguments', its sign perhaps changed, or no float: exact in any
  /// element type.
  fileprivate var onlyChooses: Bool {
    switch self {
    case is Transpose, is Reshape, is Squeeze, is ExpandDims, is Split, is Concat, is Gather, is SliceByIndex, is Pad,
      is Tile, is Reverse, is TopK, is Select, is Cast, is Shape, is Neg, is Abs, is Relu, is Maximum, is Minimum,
      is MaxPool, is ReduceMax, is Greater, is NotEqual:
      true
    default: false
    }
  }
}
