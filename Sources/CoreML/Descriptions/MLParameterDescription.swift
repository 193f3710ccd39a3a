import Foundation

/// What a model says of one of its parameters.
public final class MLParameterDescription: NSObject, NSSecureCoding, @unchecked Sendable {  // constants, never written
  public let key: MLParameterKey
  /// What the parameter is where nothing sets it: a number, a text or an array.
  public let defaultValue: Any
  /// The numbers that it may have; `nil` for a parameter that is no number, or any.
  public let numericConstraint: MLNumericConstraint?

  package init(key: MLParameterKey, defaultValue: Any, numericConstraint: MLNumericConstraint? = nil) {
    (self.key, self.defaultValue, self.numericConstraint) = (key, defaultValue, numericConstraint)
  }

  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(key, forKey: "key")
    coder.encode(defaultValue, forKey: "defaultValue")
    coder.encode(numericConstraint, forKey: "numericConstraint")
  }

  /// `nil` for an archive without the description of a parameter.
  public init?(coder: NSCoder) {
    guard let key = coder.object(MLParameterKey.self, forKey: "key"),
      let value = coder.decodeObject(of: MLParameterDescription.valueClasses, forKey: "defaultValue")
    else { return nil }
    (self.key, defaultValue) = (key, value)
    numericConstraint = coder.object(MLNumericConstraint.self, forKey: "numericConstraint")
  }

  /// The classes of parameters' values in archives.
  static let valueClasses: [AnyClass] = [NSNumber.self, NSString.self, NSURL.self, MLMultiArray.self]

  public override var description: String {
    "\(key.name) : \(defaultValue)\(numericConstraint.map { " in \($0)" } ?? "")"
  }
}
