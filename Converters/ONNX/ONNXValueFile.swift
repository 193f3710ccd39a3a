import Foundation
import MLCCore
import MLCProtobuf
import ONNXProto

/// A file of one value of a model's input or output, as in ONNX' `test_data_set` folders.
package enum ONNXValueFile {
  /// What a file holds.
  package enum Content: Sendable {
    case tensor(Tensor)
    case sequence([Tensor])
    /// An optional without a value.
    case nothing
  }

  /// A value of a model; without a content none is known.
  package typealias Named = (info: ONNXValueInfo, content: Content?)

  /// The values of `infos` in a folder, in files `STEM_0.pb`, `STEM_1.pb`, …, of which some may be missing.
  package static func values(_ folder: String, _ stem: String, _ infos: [ONNXValueInfo]) throws(Diagnostic) -> [Named] {
    var values: [Named] = []
    for (index, info) in infos.enumerated() {
      let path = "\(folder)/\(stem)_\(index).pb"
      values.append((info, FileManager.default.fileExists(atPath: path) ? try read(path, as: info) : nil))
    }
    return values
  }

  /// The value in `path`, a message as the type that a model declares for it asks: `TensorProto`, `SequenceProto` or
  /// `OptionalProto`.
  ///
  /// Throws what `ONNXTensorFile` throws, `onnx.input-type` for what is no tensor within a sequence or an optional.
  package static func read(_ path: String, as info: ONNXValueInfo) throws(Diagnostic) -> Content {
    if info.keys != nil { throw refused("map") }
    guard info.isSequence || info.isOptional else { return .tensor(try ONNXTensorFile.read(path).tensor) }
    let storage = try MappedFile(path: path).storage
    return try locating(Location(file: path)) { () throws(Diagnostic) in
      if info.isOptional { return try optional(storage) }
      let scan = try ProtobufScan(storage.bytes, rules: ONNXWire.sequenceRules, format: "onnx")
      return .sequence(try tensors(try scan.decode(Onnx_SequenceProto.self), ONNXReader(storage, scan)))
    }
  }

  private static func optional(_ storage: Storage) throws(Diagnostic) -> Content {
    let scan = try ProtobufScan(storage.bytes, rules: ONNXWire.optionalRules, format: "onnx")
    let proto = try scan.decode(Onnx_OptionalProto.self)
    let reader = ONNXReader(storage, scan)
    if proto.hasTensorValue { return .tensor(try reader.tensor(proto.tensorValue)) }
    if proto.hasSequenceValue { return .sequence(try tensors(proto.sequenceValue, reader)) }
    guard !proto.hasSparseTensorValue, !proto.hasMapValue, !proto.hasOptionalValue else { throw refused("optional") }
    return .nothing
  }

  private static func tensors(_ proto: Onnx_SequenceProto, _ reader: ONNXReader) throws(Diagnostic) -> [Tensor] {
    guard proto.sparseTensorValues.isEmpty, proto.sequenceValues.isEmpty, proto.mapValues.isEmpty,
      proto.optionalValues.isEmpty
    else { throw refused("sequence") }
    var tensors: [Tensor] = []
    for tensor in proto.tensorValues { tensors.append(try reader.tensor(tensor)) }
    return tensors
  }

  private static func refused(_ what: String) -> Diagnostic {
    Diagnostic("onnx.input-type", "the \(what) is, or holds, what is no tensor", kind: .unsupported)
  }
}
