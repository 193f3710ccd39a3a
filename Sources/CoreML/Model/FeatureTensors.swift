import Foundation
import MLCCore
import MLCPackage

/// Features as tensors for a function's ports.
enum FeatureTensors {
  /// A tensor for each port. Throws `MLModelError.featureType` for a feature that is missing and not optional, or of
  /// another type or other extents than its description says.
  static func inputs(_ features: ModelFeatures, from provider: any MLFeatureProvider) throws -> [Tensor] {
    var tensors: [Tensor] = []
    tensors.reserveCapacity(features.inputs.count)
    for feature in features.inputs {
      guard let value = provider.featureValue(for: feature.name), !value.isUndefined else {
        if let absent = feature.absent(features.symbols) {
          tensors += absent
          continue
        }
        let names = features.inputs.map { "'\($0.name)'" }.joined(separator: ", ")
        throw MLModelError(
          .featureType,
          "there is no value for the feature '\(feature.name)'; the model takes \(names)"
        )
      }
      tensors += try self.tensors(feature, value)
    }
    return tensors
  }

  /// A tensor for each port as features of their names.
  static func features(_ features: [CallerFeature], _ tensors: [Tensor]) throws -> any MLFeatureProvider {
    var values: [String: MLFeatureValue] = [:]
    var rest = tensors[...]
    for feature in features {
      values[feature.name] = try value(feature, Array(rest.prefix(feature.ports.count)))
      rest = rest.dropFirst(feature.ports.count)
    }
    return MLDictionaryFeatureProvider(values: values)
  }

  /// An output as a feature.
  static func value(_ feature: CallerFeature, _ tensors: [Tensor]) throws -> MLFeatureValue {
    let tensor = tensors[tensors.count - 1]
    switch feature.feature.form {
    case .number:
      return tensor.dtype.isFloat
        ? MLFeatureValue(double: tensor.doubles[0]) : MLFeatureValue(int64: Int64(tensor.integers[0]))
    case .sequence: return MLFeatureValue(sequence: MLSequence(int64s: tensor.integers.map { NSNumber(value: $0) }))
    case .scores(let labels): return try MLFeatureValue(keys: labels, numbers: tensor)
    case .dictionary: return try MLFeatureValue(keys: ClassLabels(tensors[0]), numbers: tensor)
    case .image:
      guard let image = feature.image else { break }
      return MLFeatureValue(pixelBuffer: try image.buffer(tensor))
    case .array: break
    }
    return switch TextFeature(feature.port.type) {
    case nil: MLFeatureValue(multiArray: try MLMultiArray(consuming: tensor, output: feature.name))
    case .text: MLFeatureValue(string: tensor.strings[0])
    case .list: MLFeatureValue(sequence: MLSequence(strings: tensor.strings))
    }
  }

  private static func tensors(_ feature: CallerFeature, _ value: MLFeatureValue) throws -> [Tensor] {
    if case .dictionary(let isText) = feature.feature.form {
      guard value.type == .dictionary, let pair = value.keysAndNumbers(isText: isText, feature.port.type.dtype) else {
        throw mismatch(feature, value)
      }
      return [pair.keys, pair.numbers]
    }
    if let buffer = value.imageBufferValue, let image = feature.image { return [try image.tensor(buffer)] }
    return [try tensor(feature, value)]
  }

  private static func tensor(_ feature: CallerFeature, _ value: MLFeatureValue) throws -> Tensor {
    let type = feature.port.type
    switch value.type {
    case .multiArray:
      guard let array = value.multiArrayValue, type.dtype != .string else { break }
      let tensor = array.tensor(type.dtype)
      // Core ML has no arrays without axes.
      return type.rank == 0 && tensor.rank == 1 && tensor.count == 1 ? tensor.reshaped([]) : tensor
    case .int64, .double:
      guard type.dtype != .string, type.shape.allSatisfy({ $0.constant == 1 || $0.constant == nil }) else { break }
      let shape = type.shape.map { _ in 1 }
      return value.type == .int64 && type.dtype.isInteger
        ? Tensor(type.dtype, shape, [Int(value.int64Value)])
        : Tensor(type.dtype, shape, [value.type == .int64 ? Double(value.int64Value) : value.doubleValue])
    case .string where type.dtype == .string:
      guard type.shape.allSatisfy({ $0.constant == 1 || $0.constant == nil }) else { break }
      return Tensor(type.shape.map { _ in 1 }, strings: [value.stringValue])
    case .sequence: if let tensor = value.sequenceValue.flatMap({ list($0, type) }) { return tensor }
    default: break
    }
    throw mismatch(feature, value)
  }

  /// A list as a tensor of `type`; `nil` where it is of something else or too long.
  private static func list(_ sequence: MLSequence, _ type: TensorType) -> Tensor? {
    let isText = type.dtype == .string
    let count = isText ? sequence.stringValues.count : sequence.int64Values.count
    guard sequence.type == (isText ? .string : .int64), isText || type.dtype.isInteger,
      let shape = TextFeature.shape(of: type, count: count)
    else { return nil }
    return isText
      ? Tensor(shape, strings: sequence.stringValues)
      : Tensor(type.dtype, shape, sequence.int64Values.map { $0.intValue })
  }

  private static func mismatch(_ feature: CallerFeature, _ value: MLFeatureValue) -> MLModelError {
    let types = feature.ports.map { "\($0.type)" }.joined(separator: " and ")
    return MLModelError(
      .featureType,
      "the feature '\(feature.name)' is \(types), a value of type \(value.type) was given"
    )
  }
}
