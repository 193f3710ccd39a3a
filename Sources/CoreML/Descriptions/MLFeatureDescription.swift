import Foundation
import MLCCore

/// What a model says of one of its features.
public final class MLFeatureDescription: NSObject, NSCopying, Sendable {
  public let name: String
  public let type: MLFeatureType
  public let isOptional: Bool
  public let multiArrayConstraint: MLMultiArrayConstraint?
  public let stateConstraint: MLStateConstraint?
  public let imageConstraint: MLImageConstraint?
  public let dictionaryConstraint: MLDictionaryConstraint?
  public let sequenceConstraint: MLSequenceConstraint?
  let summary: String

  init(
    name: String,
    type: MLFeatureType,
    isOptional: Bool = false,
    multiArrayConstraint: MLMultiArrayConstraint? = nil,
    stateConstraint: MLStateConstraint? = nil,
    sequenceConstraint: MLSequenceConstraint? = nil,
    dictionaryConstraint: MLDictionaryConstraint? = nil,
    imageConstraint: MLImageConstraint? = nil,
    summary: String = ""
  ) {
    (self.name, self.type, self.isOptional, self.summary) = (name, type, isOptional, summary)
    (self.multiArrayConstraint, self.stateConstraint) = (multiArrayConstraint, stateConstraint)
    (self.sequenceConstraint, self.dictionaryConstraint) = (sequenceConstraint, dictionaryConstraint)
    self.imageConstraint = imageConstraint
  }

  /// Whether a prediction takes `value` for this feature.
  public func isAllowedValue(_ value: MLFeatureValue) -> Bool {
    if value.isUndefined { return isOptional }
    if let constraint = sequenceConstraint {
      guard let sequence = value.sequenceValue, sequence.type == constraint.valueDescription.type else { return false }
      return constraint.countRange.contains(max(sequence.stringValues.count, sequence.int64Values.count))
    }
    if let constraint = dictionaryConstraint {
      guard value.type == .dictionary else { return false }
      return value.keysAndNumbers(isText: constraint.keyType == .string, .float64) != nil
    }
    if let constraint = imageConstraint, let buffer = value.imageBufferValue { return constraint.allows(buffer) }
    guard let constraint = multiArrayConstraint else { return value.type == type }
    guard let array = value.multiArrayValue else { return false }
    return constraint.dataType == array.dataType && constraint.shapeConstraint.allows(array.layout.shape)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override var description: String {
    let ending = summary.isEmpty ? "" : " — \(summary)"
    let constraint: NSObject? =
      imageConstraint ?? multiArrayConstraint ?? dictionaryConstraint ?? sequenceConstraint ?? stateConstraint
    let optional = isOptional ? ", optional" : ""
    return "\(name) : \(constraint?.description ?? "\(type)")\(optional)\(ending)"
  }
}
