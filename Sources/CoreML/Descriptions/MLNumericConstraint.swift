import Foundation

/// The numbers that a parameter may have: a range and, where only some of it are allowed, these.
public final class MLNumericConstraint: NSObject, NSSecureCoding, @unchecked Sendable {  // constants
  /// The least number.
  public let minNumber: NSNumber
  /// The greatest number.
  public let maxNumber: NSNumber
  /// All numbers, where they are enumerated.
  public let enumeratedNumbers: Set<NSNumber>?

  package init(minNumber: NSNumber, maxNumber: NSNumber, enumeratedNumbers: Set<NSNumber>? = nil) {
    (self.minNumber, self.maxNumber, self.enumeratedNumbers) = (minNumber, maxNumber, enumeratedNumbers)
  }

  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode([minNumber, maxNumber] as NSArray, forKey: "range")
    guard let enumeratedNumbers else { return }
    coder.encode(enumeratedNumbers.sorted { $0.doubleValue < $1.doubleValue } as NSArray, forKey: "numbers")
  }

  /// `nil` for an archive without the constraint of a number.
  public init?(coder: NSCoder) {
    guard let range = coder.list([NSNumber.self], forKey: "range", as: NSNumber.self), range.count == 2 else {
      return nil
    }
    (minNumber, maxNumber) = (range[0], range[1])
    enumeratedNumbers = coder.list([NSNumber.self], forKey: "numbers", as: NSNumber.self).map { Set($0) }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MLNumericConstraint else { return false }
    return other.minNumber == minNumber && other.maxNumber == maxNumber && other.enumeratedNumbers == enumeratedNumbers
  }
  public override var hash: Int { minNumber.hash ^ maxNumber.hash }

  public override var description: String {
    guard let enumeratedNumbers else { return "\(minNumber)...\(maxNumber)" }
    let numbers = enumeratedNumbers.sorted { $0.doubleValue < $1.doubleValue }
    return "{\(numbers.map { "\($0)" }.joined(separator: ", "))}"
  }
}
