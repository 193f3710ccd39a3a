import MLCCore
import MLCProtobuf
import ONNXProto

/// A file of one `TensorProto`, as in ONNX' `test_data_set` folders.
package enum ONNXTensorFile {
  /// The tensor and its name, which may be empty. Elements stay in the mapped file where their encoding allows.
  ///
  /// Throws what `MappedFile` throws, `onnx.malformed`, and what a tensor of a model throws; external data is refused.
  package static func read(_ path: String) throws(Diagnostic) -> (name: String, tensor: Tensor) {
    let storage = try MappedFile(path: path).storage
    return try locating(Location(file: path)) { () throws(Diagnostic) in
      let scan = try ProtobufScan(storage.bytes, rules: rules, format: "onnx")
      let proto = try scan.decode(Onnx_TensorProto.self)
      let expansion = ONNXExpansion(budget: Budget())
      let reader = ONNXReader(storage: storage, scan: scan, external: .init(folder: nil), expansion: expansion)
      return (proto.name, try reader.tensor(proto))
    }
  }

  /// The root message is the tensor itself.
  private static let rules: [ProtobufScan.Rule] = [
    .init(0, ONNXWire.floatData, nil),
    .init(0, ONNXWire.int32Data, nil),
    .init(0, ONNXWire.int64Data, nil),
    .init(0, ONNXWire.rawData, nil),
    .init(0, ONNXWire.doubleData, nil),
    .init(0, ONNXWire.uint64Data, nil),
  ]
}
