import Foundation

extension MLFeatureDescription: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(text: name, forKey: "name")
    coder.encode(type.rawValue, forKey: "type")
    coder.encode(isOptional, forKey: "isOptional")
    coder.encode(text: summary, forKey: "summary")
    coder.encode(multiArrayConstraint, forKey: "multiArrayConstraint")
    coder.encode(stateConstraint, forKey: "stateConstraint")
    coder.encode(sequenceConstraint, forKey: "sequenceConstraint")
    coder.encode(dictionaryConstraint, forKey: "dictionaryConstraint")
    coder.encode(imageConstraint, forKey: "imageConstraint")
  }

  /// `nil` for an archive without the description of a feature.
  public convenience init?(coder: NSCoder) {
    guard let name = coder.text(forKey: "name"), let type: MLFeatureType = coder.choice(forKey: "type") else {
      return nil
    }
    self.init(
      name: name,
      type: type,
      isOptional: coder.decodeBool(forKey: "isOptional"),
      multiArrayConstraint: coder.object(MLMultiArrayConstraint.self, forKey: "multiArrayConstraint"),
      stateConstraint: coder.object(MLStateConstraint.self, forKey: "stateConstraint"),
      sequenceConstraint: coder.object(MLSequenceConstraint.self, forKey: "sequenceConstraint"),
      dictionaryConstraint: coder.object(MLDictionaryConstraint.self, forKey: "dictionaryConstraint"),
      imageConstraint: coder.object(MLImageConstraint.self, forKey: "imageConstraint"),
      summary: coder.text(forKey: "summary") ?? ""
    )
  }
}
