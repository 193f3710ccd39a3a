import Foundation

extension MLFeatureValue: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(type.rawValue, forKey: "type")
    if isUndefined { return }
    switch type {
    case .int64: coder.encode(int64Value, forKey: "integer")
    case .double: coder.encode(doubleValue, forKey: "double")
    case .string: coder.encode(text: stringValue, forKey: "text")
    case .multiArray: coder.encode(multiArrayValue, forKey: "multiArray")
    case .sequence: coder.encode(sequenceValue, forKey: "sequence")
    case .dictionary: encode(dictionaryValue, with: coder)
    case .image: if let imageBufferValue { coder.encode(pixels: imageBufferValue, forKey: "image") }
    case .state, .invalid: break
    }
  }

  /// Keys and numbers beside each other: keys are strings or integers.
  private func encode(_ dictionary: [AnyHashable: NSNumber], with coder: NSCoder) {
    let pairs = Array(dictionary)
    let keys = pairs.map { pair -> NSObject in
      switch pair.key.base {
      case let text as String: text as NSString
      case let number as any BinaryInteger: NSNumber(value: Int64(clamping: number))
      default: pair.key.base as? NSNumber ?? NSNumber(value: 0)
      }
    }
    coder.encode(keys as NSArray, forKey: "keys")
    coder.encode(pairs.map(\.value) as NSArray, forKey: "numbers")
  }

  /// `nil` for an archive that holds no value, or one of another type than it says. A type alone is an undefined value.
  public convenience init?(coder: NSCoder) {
    guard let type: MLFeatureType = coder.choice(forKey: "type") else { return nil }
    if coder.containsValue(forKey: "integer"), type == .int64 {
      self.init(int64: coder.decodeInt64(forKey: "integer"))
    } else if coder.containsValue(forKey: "double"), type == .double {
      self.init(double: coder.decodeDouble(forKey: "double"))
    } else if coder.containsValue(forKey: "text"), type == .string {
      guard let text = coder.text(forKey: "text") else { return nil }
      self.init(string: text)
    } else if coder.containsValue(forKey: "multiArray"), type == .multiArray {
      guard let array = coder.object(MLMultiArray.self, forKey: "multiArray") else { return nil }
      self.init(multiArray: array)
    } else if coder.containsValue(forKey: "sequence"), type == .sequence {
      guard let sequence = coder.object(MLSequence.self, forKey: "sequence") else { return nil }
      self.init(sequence: sequence)
    } else if coder.containsValue(forKey: "keys"), type == .dictionary {
      guard let dictionary = MLFeatureValue.dictionary(coder) else { return nil }
      do { try self.init(dictionary: dictionary) } catch { return nil }
    } else if coder.containsValue(forKey: "image"), type == .image {
      guard let buffer = coder.pixels(forKey: "image") else { return nil }
      self.init(pixelBuffer: buffer)
    } else {
      self.init(undefined: type)
    }
  }

  private static func dictionary(_ coder: NSCoder) -> [AnyHashable: NSNumber]? {
    guard let keys = coder.list([NSString.self, NSNumber.self], forKey: "keys", as: AnyHashable.self),
      let numbers = coder.list([NSNumber.self], forKey: "numbers", as: NSNumber.self), keys.count == numbers.count
    else { return nil }
    return Dictionary(zip(keys, numbers)) { first, _ in first }
  }
}
