import Foundation

/// A set of named features: the inputs of a prediction, or its outputs.
public protocol MLFeatureProvider: AnyObject {
  var featureNames: Set<String> { get }
  /// `nil` when there is no feature of that name.
  func featureValue(for featureName: String) -> MLFeatureValue?
}

/// Features out of a dictionary.
open class MLDictionaryFeatureProvider: NSObject, MLFeatureProvider {
  public let dictionary: [String: MLFeatureValue]

  /// Values may be `MLFeatureValue`, `MLMultiArray`, `MLShapedArray`, `CVPixelBuffer`, `MLSequence`, strings, numbers,
  /// and dictionaries of numbers. Throws `MLModelError.featureType` for any other.
  public init(dictionary: [String: Any]) throws {
    var values: [String: MLFeatureValue] = [:]
    for (name, value) in dictionary { values[name] = try MLFeatureValue(representing: value, named: name) }
    self.dictionary = values
  }

  init(values: [String: MLFeatureValue]) { dictionary = values }

  open var featureNames: Set<String> { Set(dictionary.keys) }
  open func featureValue(for featureName: String) -> MLFeatureValue? { dictionary[featureName] }
  public subscript(featureName: String) -> MLFeatureValue? { featureValue(for: featureName) }

  open override var description: String {
    dictionary.sorted { $0.key < $1.key }.map { "\($0.key) : \($0.value.description)" }.joined(separator: "\n")
  }
}
