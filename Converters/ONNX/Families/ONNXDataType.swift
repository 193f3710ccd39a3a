import MLCCore
import MLCGraph
import MLCOps

/// `TensorProto.DataType` as an attribute spells it (`to`, `dtype`).
package enum ONNXDataType {
  /// Throws `onnx.dtype` for a number that mlc has no type for.
  package static func dtype(_ number: Int) throws(Diagnostic) -> DType {
    guard let dtype = numbers[number] else {
      throw Diagnostic("onnx.dtype", "mlc has no type for ONNX element type \(number)", kind: .unsupported)
    }
    return dtype
  }

  private static let numbers: [Int: DType] = [
    1: .float32, 2: .uint8, 3: .int8, 4: .uint16, 5: .int16, 6: .int32, 7: .int64, 8: .string, 9: .bool, 10: .float16,
    11: .float64, 12: .uint32, 13: .uint64, 16: .bfloat16, 21: .uint4, 22: .int4,
  ]
}
