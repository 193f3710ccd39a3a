import Foundation

/// A list of feature sets: the inputs of several predictions, or their outputs.
public protocol MLBatchProvider: AnyObject {
  var count: Int { get }
  func features(at index: Int) -> any MLFeatureProvider
}

/// A batch out of an array.
open class MLArrayBatchProvider: NSObject, MLBatchProvider {
  public let array: [any MLFeatureProvider]

  public init(array: [any MLFeatureProvider]) { self.array = array }

  /// For each feature its values, of which there are equally many. Throws `MLModelError.featureType` when there are
  /// not, and for values that are no features.
  public convenience init(dictionary: [String: [Any]]) throws {
    let count = dictionary.first?.value.count ?? 0
    guard dictionary.values.allSatisfy({ $0.count == count }) else {
      throw MLModelError(.featureType, "the features of a batch have different numbers of values")
    }
    var providers: [any MLFeatureProvider] = []
    for index in 0..<count {
      providers.append(try MLDictionaryFeatureProvider(dictionary: dictionary.mapValues { $0[index] }))
    }
    self.init(array: providers)
  }

  open var count: Int { array.count }
  open func features(at index: Int) -> any MLFeatureProvider { array[index] }
}
