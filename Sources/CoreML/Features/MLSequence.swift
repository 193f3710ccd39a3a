import Foundation

/// A list of strings or of integers.
public final class MLSequence: NSObject {
  public let type: MLFeatureType
  public let stringValues: [String]
  public let int64Values: [NSNumber]

  private init(_ type: MLFeatureType, strings: [String], integers: [NSNumber]) {
    (self.type, stringValues, int64Values) = (type, strings, integers)
  }

  public convenience init(empty type: MLFeatureType) { self.init(type, strings: [], integers: []) }
  public convenience init(strings stringValues: [String]) { self.init(.string, strings: stringValues, integers: []) }
  public convenience init(int64s int64Values: [NSNumber]) { self.init(.int64, strings: [], integers: int64Values) }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MLSequence else { return false }
    return other.type == type && other.stringValues == stringValues && other.int64Values == int64Values
  }

  public override var description: String { type == .string ? "\(stringValues)" : "\(int64Values)" }

  public override var hash: Int { stringValues.hashValue ^ int64Values.hashValue }
}
