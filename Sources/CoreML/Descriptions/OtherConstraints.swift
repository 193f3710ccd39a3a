import CoreVideo
import Foundation

/// What a model wants of an image.
public final class MLImageConstraint: NSObject, Sendable {
  public let pixelsHigh: Int
  public let pixelsWide: Int
  /// A pixel format of Core Video, as a four-character code.
  public let pixelFormatType: OSType
  public let sizeConstraint: MLImageSizeConstraint

  init(pixelsHigh: Int, pixelsWide: Int, pixelFormatType: OSType, sizeConstraint: MLImageSizeConstraint) {
    (self.pixelsHigh, self.pixelsWide, self.pixelFormatType) = (pixelsHigh, pixelsWide, pixelFormatType)
    self.sizeConstraint = sizeConstraint
  }

  /// `Image (BGRA, 224 × 224)`: pixel format, width and height.
  public override var description: String {
    let letters = [24, 16, 8, 0].map { Character(Unicode.Scalar(UInt8(truncatingIfNeeded: pixelFormatType >> $0))) }
    return "Image (\(String(letters)), \(sizeConstraint.description))"
  }
}

/// How a model limits the size of an image. Raw values are Core ML's.
public enum MLImageSizeConstraintType: Int, Sendable {
  case unspecified = 0
  case enumerated = 2
  case range = 3
}

/// A size that a model allows for an image.
public final class MLImageSize: NSObject, Sendable {
  public let pixelsWide: Int
  public let pixelsHigh: Int

  init(pixelsWide: Int, pixelsHigh: Int) { (self.pixelsWide, self.pixelsHigh) = (pixelsWide, pixelsHigh) }
}

/// The sizes that a model allows for an image.
public final class MLImageSizeConstraint: NSObject, Sendable {
  public let type: MLImageSizeConstraintType
  public let pixelsWideRange: NSRange
  public let pixelsHighRange: NSRange
  public let enumeratedImageSizes: [MLImageSize]

  init(type: MLImageSizeConstraintType, pixelsWide: NSRange, pixelsHigh: NSRange, enumerated: [MLImageSize]) {
    (self.type, pixelsWideRange, pixelsHighRange, enumeratedImageSizes) = (type, pixelsWide, pixelsHigh, enumerated)
  }

  /// Widths and heights.
  public override var description: String {
    if type == .range { return "\(pixelsWideRange.sizes) × \(pixelsHighRange.sizes)" }
    return enumeratedImageSizes.map { [$0.pixelsWide, $0.pixelsHigh].joined }.joined(separator: " or ")
  }
}

/// What a model wants of a dictionary.
public final class MLDictionaryConstraint: NSObject, Sendable {
  public let keyType: MLFeatureType

  init(keyType: MLFeatureType) { self.keyType = keyType }

  public override var description: String { "Dictionary (\(keyType) → double)" }
}

/// What a model wants of a sequence.
public final class MLSequenceConstraint: NSObject, Sendable {
  /// Of each of its values.
  public let valueDescription: MLFeatureDescription
  /// How many values it may have.
  public let countRange: NSRange

  init(valueDescription: MLFeatureDescription, countRange: NSRange) {
    (self.valueDescription, self.countRange) = (valueDescription, countRange)
  }

  public override var description: String { "Sequence (\(valueDescription.type), \(countRange.sizes))" }
}
