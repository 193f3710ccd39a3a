import MLCCore

/// `TensorProto.DataType` as an attribute spells it (`to`, `dtype`).
package enum ONNXDataType {
  /// Throws `onnx.dtype` for one that mlc has no type for.
  package static func dtype(_ code: Int) throws(Diagnostic) -> DType {
    if let dtype = DType(onnx: code) { return dtype }
    throw Diagnostic("onnx.dtype", "mlc has no type for \(DType.unsupportedONNXName(code))", kind: .unsupported)
  }
}
