import Foundation

extension MLImageSize: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) { coder.encode(numbers: [pixelsWide, pixelsHigh], forKey: "size") }

  /// `nil` for an archive without a size.
  public convenience init?(coder: NSCoder) {
    guard let size = coder.numbers(forKey: "size"), size.count == 2 else { return nil }
    self.init(pixelsWide: size[0], pixelsHigh: size[1])
  }
}

extension MLImageSizeConstraint: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(type.rawValue, forKey: "type")
    coder.encode(range: pixelsWideRange, forKey: "wide")
    coder.encode(range: pixelsHighRange, forKey: "high")
    coder.encode(enumeratedImageSizes as NSArray, forKey: "sizes")
  }

  /// `nil` for an archive without the constraint of a size.
  public convenience init?(coder: NSCoder) {
    guard let type: MLImageSizeConstraintType = coder.choice(forKey: "type"), let wide = coder.range(forKey: "wide"),
      let high = coder.range(forKey: "high"),
      let sizes = coder.list([MLImageSize.self], forKey: "sizes", as: MLImageSize.self)
    else { return nil }
    self.init(type: type, pixelsWide: wide, pixelsHigh: high, enumerated: sizes)
  }
}

extension MLImageConstraint: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(numbers: [pixelsWide, pixelsHigh, Int(pixelFormatType)], forKey: "pixels")
    coder.encode(sizeConstraint, forKey: "sizeConstraint")
  }

  /// `nil` for an archive without the constraint of an image.
  public convenience init?(coder: NSCoder) {
    guard let pixels = coder.numbers(forKey: "pixels"), pixels.count == 3, let format = UInt32(exactly: pixels[2]),
      let constraint = coder.object(MLImageSizeConstraint.self, forKey: "sizeConstraint")
    else { return nil }
    self.init(pixelsHigh: pixels[1], pixelsWide: pixels[0], pixelFormatType: format, sizeConstraint: constraint)
  }
}

extension MLDictionaryConstraint: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) { coder.encode(keyType.rawValue, forKey: "keyType") }

  /// `nil` for an archive without the constraint of a dictionary.
  public convenience init?(coder: NSCoder) {
    guard let keyType: MLFeatureType = coder.choice(forKey: "keyType") else { return nil }
    self.init(keyType: keyType)
  }
}

extension MLSequenceConstraint: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(valueDescription, forKey: "value")
    coder.encode(range: countRange, forKey: "count")
  }

  /// `nil` for an archive without the constraint of a sequence.
  public convenience init?(coder: NSCoder) {
    guard let value = coder.object(MLFeatureDescription.self, forKey: "value"),
      let count = coder.range(forKey: "count")
    else { return nil }
    self.init(valueDescription: value, countRange: count)
  }
}
