import Foundation

extension MLSequence: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(type.rawValue, forKey: "type")
    coder.encode(stringValues.map { $0 as NSString } as NSArray, forKey: "strings")
    coder.encode(int64Values as NSArray, forKey: "integers")
  }

  /// `nil` for an archive without a sequence, or with values of another type than it says.
  public convenience init?(coder: NSCoder) {
    guard let type: MLFeatureType = coder.choice(forKey: "type"),
      let strings = coder.list([NSString.self], forKey: "strings", as: String.self),
      let integers = coder.list([NSNumber.self], forKey: "integers", as: NSNumber.self)
    else { return nil }
    switch (type, strings.isEmpty, integers.isEmpty) {
    case (.string, _, true): self.init(strings: strings)
    case (.int64, true, _): self.init(int64s: integers)
    case (_, true, true): self.init(empty: type)
    default: return nil
    }
  }
}
