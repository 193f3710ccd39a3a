import Foundation

/// A set of named features: the inputs of a prediction, or its outputs.
public protocol MLFeatureProvider: AnyObject {
  var featureNames: Set<String> { get }
  /// `nil` when there is no feature of that name.
  func featureValue(for featureName: String) -> MLFeatureValue?
}

/// Features out of a dictionary.
open class MLDictionaryFeatureProvider: NSObject, MLFeatureProvider, NSSecureCoding {
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

  // MARK: In archives

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    let names = dictionary.keys.sorted()
    coder.encode(names.map { $0 as NSString } as NSArray, forKey: "names")
    coder.encode(names.compactMap { dictionary[$0] } as NSArray, forKey: "values")
  }

  /// `nil` for an archive without features.
  public required init?(coder: NSCoder) {
    guard let names: [String] = coder.list([NSString.self], forKey: "names"),
      let values: [MLFeatureValue] = coder.list([MLFeatureValue.self], forKey: "values"), names.count == values.count
    else { return nil }
    dictionary = Dictionary(zip(names, values)) { first, _ in first }
  }

  open override var description: String {
    dictionary.sorted { $0.key < $1.key }.map { "\($0.key) : \($0.value.description)" }.joined(separator: "\n")
  }
}
