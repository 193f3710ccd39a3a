import Foundation

/// A colour of CIE Lab, white D65: how light it is, 0 … 100, how red rather than green, how yellow rather than blue.
struct Lab: Equatable, Sendable {
  var l: Float, a: Float, b: Float

  /// How far apart two colours look: about 2 is just seen.
  func distance(to other: Lab) -> Float {
    let (l, a, b) = (l - other.l, a - other.a, b - other.b)
    return (l * l + a * a + b * b).squareRoot()
  }
}

extension Lab {
  /// Of sRGB.
  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    let (r, g, b) = (Self.linear[Int(red)], Self.linear[Int(green)], Self.linear[Int(blue)])
    let x = Self.curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / Self.white.x)
    let y = Self.curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    let z = Self.curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / Self.white.z)
    self.init(l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }

  /// In sRGB, with less colour where there is none so strong at this lightness.
  var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
    // Of what is too strong, the strongest that is there, to 1/64.
    var (low, high): (Float, Float) = (0, 1)
    var colour = linearRGB(1)
    if !Self.isShown(colour) {
      for _ in 0..<6 {
        let middle = (low + high) / 2
        if Self.isShown(linearRGB(middle)) { low = middle } else { high = middle }
      }
      colour = linearRGB(low)
    }
    return (Self.byte(colour.x), Self.byte(colour.y), Self.byte(colour.z))
  }

  private func linearRGB(_ strength: Float) -> SIMD3<Float> {
    let height = (l + 16) / 116
    let x = Self.inverse(height + strength * a / 500) * Self.white.x
    let y = Self.inverse(height)
    let z = Self.inverse(height - strength * b / 200) * Self.white.z
    return SIMD3(
      3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
      -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
      0.0556434 * x - 0.2040259 * y + 1.0572252 * z
    )
  }

  private static func isShown(_ colour: SIMD3<Float>) -> Bool { colour.min() >= -0.002 && colour.max() <= 1.002 }

  private static let white: (x: Float, z: Float) = (0.95047, 1.08883)
  /// Where the cube root goes over into a line.
  private static let edge: Float = 6 / 29

  private static func curve(_ value: Float) -> Float {
    value > edge * edge * edge ? cbrtf(value) : value / (3 * edge * edge) + 4 / 29
  }

  private static func inverse(_ value: Float) -> Float {
    value > edge ? value * value * value : 3 * edge * edge * (value - 4 / 29)
  }

  /// The light of each byte of sRGB, 0 … 1.
  private static let linear: [Float] = (0..<256).map { byte in
    let value = Float(byte) / 255
    return value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
  }

  private static func byte(_ light: Float) -> UInt8 {
    let light = min(1, max(0, light))
    let value = light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
    return UInt8((255 * value).rounded())
  }
}
