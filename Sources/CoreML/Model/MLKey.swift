import Foundation

/// A name in a dictionary of settings or of measures.
open class MLKey: NSObject, NSCopying, NSSecureCoding {
  public let name: String
  /// The part of a model that is meant, where it has several of that name.
  public let scope: String?

  init(name: String, scope: String?) { (self.name, self.scope) = (name, scope) }

  /// The key itself: keys never change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MLKey else { return false }
    return other.name == name && other.scope == scope
  }
  open override var hash: Int { name.hashValue ^ scope.hashValue }
  open override var description: String { scope.map { "\($0)/\(name)" } ?? name }

  // MARK: In archives

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(text: name, forKey: "name")
    coder.encode(text: scope, forKey: "scope")
  }

  /// `nil` for an archive without a key.
  public required init?(coder: NSCoder) {
    guard let name = coder.text(forKey: "name") else { return nil }
    (self.name, scope) = (name, coder.text(forKey: "scope"))
  }
}

/// The name of a parameter of a model.
public final class MLParameterKey: MLKey, @unchecked Sendable {  // names that never change
  public static let linkedModelFileName = MLParameterKey(name: "linkedModelFileName", scope: nil)
  public static let linkedModelSearchPath = MLParameterKey(name: "linkedModelSearchPath", scope: nil)
  public static let biases = MLParameterKey(name: "biases", scope: nil)
  public static let weights = MLParameterKey(name: "weights", scope: nil)
  public static let learningRate = MLParameterKey(name: "learningRate", scope: nil)
  public static let epochs = MLParameterKey(name: "epochs", scope: nil)
  public static let miniBatchSize = MLParameterKey(name: "miniBatchSize", scope: nil)
  public static let momentum = MLParameterKey(name: "momentum", scope: nil)
  /// How fast Adam forgets the mean of gradients.
  public static let beta1 = MLParameterKey(name: "beta1", scope: nil)
  /// How fast Adam forgets the mean of squared gradients.
  public static let beta2 = MLParameterKey(name: "beta2", scope: nil)
  /// What Adam adds to the root that it divides by.
  public static let eps = MLParameterKey(name: "eps", scope: nil)
  public static let shuffle = MLParameterKey(name: "shuffle", scope: nil)
  public static let seed = MLParameterKey(name: "seed", scope: nil)
  public static let numberOfNeighbors = MLParameterKey(name: "numberOfNeighbors", scope: nil)

  /// The same parameter of one part of a model, a layer say.
  public func scoped(to scope: String) -> MLParameterKey { MLParameterKey(name: name, scope: scope) }
}

/// The name of a measure of training.
public final class MLMetricKey: MLKey, @unchecked Sendable {  // names that never change
  /// The mean loss, a double.
  public static let lossValue = MLMetricKey(name: "lossValue", scope: nil)
  /// The number of the epoch, an integer from 0.
  public static let epochIndex = MLMetricKey(name: "epochIndex", scope: nil)
  /// The number of the mini-batch in its epoch, an integer from 0.
  public static let miniBatchIndex = MLMetricKey(name: "miniBatchIndex", scope: nil)
}
