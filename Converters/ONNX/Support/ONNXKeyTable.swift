import MLCCore
import MLCGraph
import MLCOps

/// A `KeyTable` of attributes. Throws `onnx.keys` where they are none.
struct ONNXKeyTable {
  private let table: KeyTable

  /// There are as many values as keys, and one for all else.
  init(_ keys: Tensor, _ values: Tensor, else other: Tensor) throws(Diagnostic) {
    guard keys.rank == 1, values.rank == 1, keys.count == values.count, keys.count < 1 << 24 else {
      throw Diagnostic("onnx.keys", "the keys are \(keys.type), their values \(values.type): not as many of each")
    }
    guard other.count == 1, other.dtype == values.dtype else {
      throw Diagnostic("onnx.keys", "the value for all other keys is \(other.type), and those of keys \(values.type)")
    }
    table = KeyTable(keys, values, else: other)
  }

  /// The values of `x`, in its shape.
  func values(of x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    guard context.fact(x).dtype == table.keyType else {
      throw Diagnostic("onnx.keys", "the keys are \(table.keyType.rawValue), the input \(context.fact(x).type)")
    }
    return try table.values(of: x, in: &context)
  }
}
