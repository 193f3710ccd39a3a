// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Graphics'.
import Foundation

/// What the numbers of a picture's pixels mean. Spaces differ by their model alone: colours are never converted.
public final class CGColorSpace: Hashable, Sendable {
  /// The name of the space; `nil` for those of devices.
  public let name: CFString?
  /// Grey or colours.
  public let model: CGColorSpaceModel

  fileprivate init(_ name: CFString?, _ model: CGColorSpaceModel) { (self.name, self.model) = (name, model) }

  /// The space of that name; `nil` for names that are not known.
  public convenience init?(name: CFString) {
    let colours = [
      Self.sRGB, Self.linearSRGB, Self.extendedSRGB, Self.displayP3, Self.genericRGBLinear, Self.adobeRGB1998,
    ]
    if colours.contains(name) {
      self.init(name, .rgb)
    } else if [Self.genericGrayGamma2_2, Self.linearGray].contains(name) {
      self.init(name, .monochrome)
    } else {
      return nil
    }
  }

  public var numberOfComponents: Int { model == .monochrome ? 1 : 3 }

  public static func == (a: CGColorSpace, b: CGColorSpace) -> Bool { a.name == b.name && a.model == b.model }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(model)
  }

  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  public static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
  public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
  public static let genericRGBLinear: CFString = "kCGColorSpaceGenericRGBLinear"
  public static let adobeRGB1998: CFString = "kCGColorSpaceAdobeRGB1998"
  public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
  public static let linearGray: CFString = "kCGColorSpaceLinearGray"
}

/// The kinds of spaces. Raw values are Core Graphics'.
public enum CGColorSpaceModel: Int32, Sendable {
  case monochrome = 0
  case rgb = 1
}

/// Red, green and blue of no space in particular.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(nil, .rgb) }
/// Grey of no space in particular.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(nil, .monochrome) }
