import Foundation

// What the objects of this module read and write in archives. Whoever reads an archive checks it: what is missing or of
// another kind is `nil`, and an object that cannot be made of what is there is not made.

extension NSCoder {
  func encode(text: String?, forKey key: String) {
    if let text { encode(text as NSString, forKey: key) }
  }

  func encode(numbers: [Int], forKey key: String) {
    encode(numbers.map { NSNumber(value: $0) } as NSArray, forKey: key)
  }

  func encode(range: NSRange, forKey key: String) { encode(numbers: [range.location, range.length], forKey: key) }

  func text(forKey key: String) -> String? {
    guard containsValue(forKey: key) else { return nil }
    return decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
  }

  /// The list under `key`, all of whose elements are of one of `kinds`.
  func list<Element>(_ kinds: [AnyClass], forKey key: String, as type: Element.Type = Element.self) -> [Element]? {
    guard containsValue(forKey: key), let list = decodeObject(of: [NSArray.self] + kinds, forKey: key) as? [Any] else {
      return nil
    }
    let elements = list.compactMap { $0 as? Element }
    return elements.count == list.count ? elements : nil
  }

  func numbers(forKey key: String) -> [Int]? { list([NSNumber.self], forKey: key, as: NSNumber.self)?.map(\.intValue) }

  func range(forKey key: String) -> NSRange? {
    guard let numbers = numbers(forKey: key), numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    return NSRange(location: numbers[0], length: numbers[1])
  }

  func object<Object: NSObject & NSCoding>(_ type: Object.Type, forKey key: String) -> Object? {
    containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
  }

  /// The case of an enumeration with this raw value.
  func choice<Choice: RawRepresentable<Int>>(forKey key: String) -> Choice? {
    containsValue(forKey: key) ? Choice(rawValue: decodeInteger(forKey: key)) : nil
  }
}
