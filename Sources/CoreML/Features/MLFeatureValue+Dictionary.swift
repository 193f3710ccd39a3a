import Foundation
import MLCCore

extension MLFeatureValue {
  /// A dictionary of keys, strings or integers, and as many numbers.
  convenience init(keys: ClassLabels, numbers: Tensor) throws {
    let values = numbers.doubles.map { NSNumber(value: $0) }
    let names: [AnyHashable] =
      switch keys {
      case .strings(let texts): texts.map { AnyHashable($0) }
      case .integers(let integers): integers.map { AnyHashable(NSNumber(value: $0)) }
      }
    try self.init(dictionary: Dictionary(zip(names, values)) { first, _ in first })
  }

  /// Keys and numbers of a dictionary in an order of the keys; `nil` where the keys are of another kind.
  func keysAndNumbers(isText: Bool, _ dtype: DType) -> (keys: Tensor, numbers: Tensor)? {
    let pairs = dictionaryValue
    let count = pairs.count
    if isText {
      let texts = pairs.keys.compactMap { $0.base as? String }.sorted()
      guard texts.count == count else { return nil }
      let numbers = texts.map { pairs[$0]?.doubleValue ?? .nan }
      return (Tensor([count], strings: texts), Tensor(dtype, [count], numbers))
    }
    let keyed = pairs.compactMap { key, number in key.integer.map { ($0, number.doubleValue) } }.sorted { $0.0 < $1.0 }
    guard keyed.count == count else { return nil }
    return (Tensor(.int64, [count], keyed.map { $0.0 }), Tensor(dtype, [count], keyed.map { $0.1 }))
  }
}

extension AnyHashable {
  fileprivate var integer: Int? {
    switch base {
    case let number as any BinaryInteger: Int(clamping: number)
    case let number as NSNumber: number.intValue
    default: nil
    }
  }
}
