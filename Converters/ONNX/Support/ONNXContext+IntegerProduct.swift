import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext {
  /// `(a − zeroA) · (b − zeroB)`, a product of matrices of bytes, as `int32` that wraps. Zero points broadcast.
  mutating func integerProduct(
    _ a: ValueID,
    _ zeroA: ValueID?,
    _ b: ValueID,
    _ zeroB: ValueID?,
    _ op: MatMul = MatMul()
  ) throws(Diagnostic) -> ValueID {
    try requireBytes([a, b])
    return try emit(op, try centred(a, zeroA, as: .int32), try centred(b, zeroB, as: .int32))
  }

  /// Throws `onnx.quantization` for a value whose elements are no bytes.
  func requireBytes(_ values: [ValueID]) throws(Diagnostic) {
    for type in values.map({ fact($0).type }) where type.dtype != .int8 && type.dtype != .uint8 {
      throw Diagnostic("onnx.quantization", "\(type) is multiplied as if it were int8 or uint8")
    }
  }

  /// `round(sums · factor) + zero point`, saturated to the type of the zero point; the product is in float32.
  mutating func requantized(_ sums: ValueID, _ factor: ValueID, _ zeroPoint: ValueID) throws(Diagnostic) -> ValueID {
    let y = try emit(Mul(), try cast(sums, to: .float32), try cast(factor, to: .float32))
    return try saturated(y, zeroPoint, to: fact(zeroPoint).dtype)
  }
}
