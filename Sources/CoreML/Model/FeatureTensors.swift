import MLCCore
import MLCPackage

/// Features as tensors for a function's ports.
enum FeatureTensors {
  /// Throws `MLModelError.featureType` for a feature that is missing, no array, number, text or list of texts, or of
  /// other extents.
  static func inputs(_ ports: [FunctionInterface.Port], from provider: any MLFeatureProvider) throws -> [Tensor] {
    var tensors: [Tensor] = []
    tensors.reserveCapacity(ports.count)
    for port in ports {
      guard let value = provider.featureValue(for: port.name), !value.isUndefined else {
        let names = ports.map { "'\($0.name)'" }.joined(separator: ", ")
        throw MLModelError(.featureType, "there is no value for the feature '\(port.name)'; the model takes \(names)")
      }
      tensors.append(try tensor(port, value))
    }
    return tensors
  }

  /// Outputs as features of their names.
  static func features(_ ports: [FunctionInterface.Port], _ tensors: [Tensor]) throws -> any MLFeatureProvider {
    var values: [String: MLFeatureValue] = [:]
    for (port, tensor) in zip(ports, tensors) { values[port.name] = try feature(port, tensor) }
    return MLDictionaryFeatureProvider(values: values)
  }

  /// An output as a feature.
  static func feature(_ port: FunctionInterface.Port, _ tensor: Tensor) throws -> MLFeatureValue {
    switch TextFeature(port.type) {
    case nil: MLFeatureValue(multiArray: try MLMultiArray(consuming: tensor, output: port.name))
    case .text: MLFeatureValue(string: tensor.strings[0])
    case .list: MLFeatureValue(sequence: MLSequence(strings: tensor.strings))
    }
  }

  private static func tensor(_ port: FunctionInterface.Port, _ value: MLFeatureValue) throws -> Tensor {
    switch value.type {
    case .multiArray:
      guard let array = value.multiArrayValue, port.type.dtype != .string else { break }
      let tensor = array.tensor(port.type.dtype)
      // Core ML has no arrays without axes.
      return port.type.rank == 0 && tensor.rank == 1 && tensor.count == 1 ? tensor.reshaped([]) : tensor
    case .int64, .double:
      guard port.type.dtype != .string, port.type.shape.allSatisfy({ $0.constant == 1 || $0.constant == nil }) else {
        break
      }
      let shape = port.type.shape.map { _ in 1 }
      return value.type == .int64 && port.type.dtype.isInteger
        ? Tensor(port.type.dtype, shape, [Int(value.int64Value)])
        : Tensor(port.type.dtype, shape, [value.type == .int64 ? Double(value.int64Value) : value.doubleValue])
    case .string where port.type.dtype == .string:
      guard port.type.shape.allSatisfy({ $0.constant == 1 || $0.constant == nil }) else { break }
      return Tensor(port.type.shape.map { _ in 1 }, strings: [value.stringValue])
    case .sequence where port.type.dtype == .string:
      guard let sequence = value.sequenceValue, sequence.type == .string,
        let shape = TextFeature.shape(of: port.type, count: sequence.stringValues.count)
      else { break }
      return Tensor(shape, strings: sequence.stringValues)
    default: break
    }
    throw MLModelError(
      .featureType,
      "the feature '\(port.name)' is \(port.type), a value of type \(value.type) was given"
    )
  }
}
