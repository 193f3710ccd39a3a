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
      let scan = try ProtobufScan(storage.bytes, rules: ONNXWire.tensorRules, format: "onnx")
      let proto = try scan.decode(Onnx_TensorProto.self)
      return (proto.name, try ONNXReader(storage, scan).tensor(proto))
    }
  }
}

extension ONNXReader {
  /// What reads tensors of a file that is no model.
  init(_ storage: Storage, _ scan: ProtobufScan) {
    let expansion = ONNXExpansion(budget: Budget())
    self.init(storage: storage, scan: scan, external: .init(folder: nil), expansion: expansion)
  }
}
