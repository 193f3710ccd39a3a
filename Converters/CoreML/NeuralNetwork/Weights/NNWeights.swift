import CoreMLProto
import MLCCore
import MLCProtobuf

/// The numbers of a network's layers, where they lie in the mapped file.
struct NNWeights: Sendable {
  private let scan: ProtobufScan
  private let storage: Storage

  init(_ scan: ProtobufScan, _ storage: Storage) { (self.scan, self.storage) = (scan, storage) }

  /// `count` numbers. Throws `coreml.constant` when there are others, `coreml.compressed` for a form that Core ML does
  /// not have.
  func read(_ spec: NNWeightSpec, _ name: String, count: Int?) throws(Diagnostic) -> NNWeight {
    guard let count else { throw NNWeights.wrong(name, "are beyond any size") }
    let parts = try self.parts(spec, name)
    if spec.hasQuantization { return try NNWeight(parts, spec.quantization, count, name) }
    if let floats = parts[NNWire.floatValue] {
      guard let tensor = floats.viewed(as: .float32, [count]) else {
        throw NNWeights.wrong(name, "are not \(count) floats")
      }
      return NNWeight(tensor)
    }
    if let halves = parts[NNWire.float16Value] {
      guard let tensor = halves.viewed(as: .float16, [count]) else {
        throw NNWeights.wrong(name, "are not \(count) floats")
      }
      return NNWeight(tensor)
    }
    throw NNWeights.wrong(name, "are missing; there should be \(count) numbers")
  }

  /// The numbers of a mean image.
  func floats(_ image: CoreML_Specification_NeuralNetworkMeanImage, count: Int?) throws(Diagnostic) -> Tensor {
    let payloads = scan.payloads(in: image.unknownFields)
    let tensor = payloads.count == 1 ? view(payloads[0]) : NNWeights.bytes(image.meanImage)
    guard let count, let result = tensor.viewed(as: .float32, [count]) else {
      throw NNWeights.wrong("the mean image", "does not have the size of the input")
    }
    return result
  }

  /// The bytes of each field that there is.
  private func parts(_ spec: NNWeightSpec, _ name: String) throws(Diagnostic) -> [UInt32: Tensor] {
    var result: [UInt32: Tensor] = [:]
    for payload in scan.payloads(in: spec.unknownFields) {
      guard result.updateValue(view(payload), forKey: payload.field) == nil else {
        throw NNWeights.wrong(name, "lie in pieces")
      }
    }
    if !spec.floatValue.isEmpty, result.updateValue(NNWeights.bytes(spec.floatValue), forKey: NNWire.floatValue) != nil
    {
      throw NNWeights.wrong(name, "lie in pieces")
    }
    return result.filter { $1.count > 0 }
  }

  private func view(_ payload: ProtobufScan.Payload) -> Tensor {
    Tensor(.uint8, [payload.range.count], storage: storage, range: payload.range)!
  }

  private static func bytes(_ floats: [Float]) -> Tensor {
    let count = floats.count
    return Tensor([count], floats: floats).viewed(as: .uint8, [4 * count])!
  }

  static func wrong(_ name: String, _ what: String) -> Diagnostic { Diagnostic("coreml.constant", "\(name) \(what)") }
}
