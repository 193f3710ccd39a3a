import CoreGraphics
import Foundation

extension MLFeatureValue {
  /// How a picture becomes the value of an image feature.
  public struct ImageOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The part of the picture that is taken: a `CGRect`, or an `NSValue` of one, in fractions of the shown picture,
    /// rows counted upwards. All of it unless said otherwise.
    public static let cropRect = ImageOption(rawValue: "MLFeatureValueImageOptionCropRect")
    /// How it fills the size: a `VNImageCropAndScaleOption`, or the number that it is; `scaleFill` where none is
    /// given.
    public static let cropAndScale = ImageOption(rawValue: "MLFeatureValueImageOptionCropAndScale")
  }
}

extension ImageDrawing {
  /// Throws `MLModelError.generic` for options that are not known, and values that are none of theirs.
  init(_ orientation: CGImagePropertyOrientation, _ options: [MLFeatureValue.ImageOption: Any]?) throws(MLModelError) {
    self.init(orientation: orientation)
    for (option, value) in options ?? [:] {
      switch option {
      case .cropRect:
        guard let rect = ImageDrawing.rect(value) else {
          throw MLModelError(.generic, "the value of the option cropRect is \(value), no rectangle")
        }
        part = rect
      case .cropAndScale:
        guard let number = ImageDrawing.number(value), let scaling = Scaling(rawValue: number) else {
          throw MLModelError(.generic, "the value of the option cropAndScale is \(value), none of Vision's options")
        }
        self.scaling = scaling
      default: throw MLModelError(.generic, "there is no option '\(option.rawValue)' of image features")
      }
    }
  }

  private static func rect(_ value: Any) -> CGRect? {
    if let rect = value as? CGRect { return rect }
    guard let value = value as? NSValue, !(value is NSNumber) else { return nil }
    return value.rectValue
  }

  private static func number(_ value: Any) -> UInt? {
    switch value {
    case let number as any BinaryInteger: UInt(exactly: number)
    case let number as NSNumber: UInt(exactly: number.int64Value)
    case let option as any RawRepresentable: option.rawValue as? UInt
    default: nil
    }
  }
}
