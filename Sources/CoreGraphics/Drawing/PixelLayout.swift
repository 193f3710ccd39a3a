import CMLCPixels

/// Where pixels of 8 bits a channel have their channels.
package struct PixelLayout: Hashable, Sendable {
  /// Of a pixel.
  package let bytes: Int
  /// Which of them the colours are; of grey pixels all the same.
  package let red: Int, green: Int, blue: Int
  /// Which of them alpha is, if there is one that counts.
  package let alpha: Int?
  /// Whether colours are multiplied by alpha.
  package let isPremultiplied: Bool

  package var isGrey: Bool { red == green }

  package init(
    bytes: Int,
    red: Int,
    green: Int,
    blue: Int,
    alpha: Int? = nil,
    isPremultiplied: Bool = false
  ) {
    (self.bytes, self.red, self.green, self.blue) = (bytes, red, green, blue)
    (self.alpha, self.isPremultiplied) = (alpha, isPremultiplied)
  }

  package static let grey = PixelLayout(bytes: 1, red: 0, green: 0, blue: 0)
  package static let rgb = PixelLayout(bytes: 3, red: 0, green: 1, blue: 2)
  package static let bgr = PixelLayout(bytes: 3, red: 2, green: 1, blue: 0)
  package static let rgba = PixelLayout(bytes: 4, red: 0, green: 1, blue: 2, alpha: 3)
  package static let bgra = PixelLayout(bytes: 4, red: 2, green: 1, blue: 0, alpha: 3)
  package static let argb = PixelLayout(bytes: 4, red: 1, green: 2, blue: 3, alpha: 0)
  package static let abgr = PixelLayout(bytes: 4, red: 3, green: 2, blue: 1, alpha: 0)

  /// What Core Graphics says of pixels; `nil` for what has no 8 bits a channel or no channels that are known.
  init?(bitsPerPixel: Int, _ model: CGColorSpaceModel, _ info: CGBitmapInfo) {
    guard let alpha = info.alpha, alpha != .alphaOnly, info.isDisjoint(with: .floatInfoMask) else { return nil }
    let order = info.rawValue & CGBitmapInfo.byteOrderMask.rawValue
    let isLittle = order == CGBitmapInfo.byteOrder32Little.rawValue
    guard isLittle || order == 0 || order == CGBitmapInfo.byteOrder32Big.rawValue else { return nil }
    let isFirst = [.first, .premultipliedFirst, .noneSkipFirst].contains(alpha)
    let isAlpha = [.first, .premultipliedFirst, .last, .premultipliedLast].contains(alpha)
    let isPremultiplied = alpha == .premultipliedFirst || alpha == .premultipliedLast
    switch (model, bitsPerPixel) {
    case (.monochrome, 8) where alpha == .none: self = .grey
    case (.monochrome, 16) where alpha != .none && !isLittle:
      let place = isFirst ? 1 : 0
      self.init(
        bytes: 2,
        red: place,
        green: place,
        blue: place,
        alpha: isAlpha ? 1 - place : nil,
        isPremultiplied: isPremultiplied
      )
    case (.rgb, 24) where alpha == .none && !isLittle: self = .rgb
    case (.rgb, 32) where alpha != .none:
      let places = (isFirst ? [1, 2, 3, 0] : [0, 1, 2, 3]).map { isLittle ? 3 - $0 : $0 }
      self.init(
        bytes: 4,
        red: places[0],
        green: places[1],
        blue: places[2],
        alpha: isAlpha ? places[3] : nil,
        isPremultiplied: isPremultiplied
      )
    default: return nil
    }
  }

  var places: mlc_pixel_places { mlc_pixel_places(red: Int32(red), green: Int32(green), blue: Int32(blue)) }

  /// What each byte of a pixel of this layout is of one of `source`'s: colours by place, grey as luma, alpha opaque or,
  /// where it is kept and there is one, by place.
  func map(from source: PixelLayout, keepsAlpha: Bool) -> [Int32] {
    let (luma, opaque) = (Int32(MLC_PIXEL_LUMA), Int32(MLC_PIXEL_OPAQUE))
    return (0..<4).map { byte in
      switch byte {
      case alpha: keepsAlpha ? source.alpha.map { Int32($0) } ?? opaque : opaque
      case red where isGrey: source.isGrey ? Int32(source.red) : luma
      case red: Int32(source.red)
      case green: Int32(source.green)
      case blue: Int32(source.blue)
      default: opaque
      }
    }
  }
}
