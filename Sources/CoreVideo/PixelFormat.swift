/// How the pixels of a format lie in memory.
package enum PixelFormat {
  /// In one plane, of this many bytes each.
  case packed(bytes: Int)
  /// In several: bytes of an element, and by how much the plane is narrower and lower than the picture.
  case planar([(bytes: Int, shrink: Int)])

  /// `nil` for formats that are not known here.
  package init?(_ type: OSType) {
    switch type {
    case kCVPixelFormatType_OneComponent8: self = .packed(bytes: 1)
    case kCVPixelFormatType_OneComponent16, kCVPixelFormatType_OneComponent16Half, kCVPixelFormatType_TwoComponent8,
      kCVPixelFormatType_DepthFloat16, kCVPixelFormatType_DisparityFloat16:
      self = .packed(bytes: 2)
    case kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR: self = .packed(bytes: 3)
    case kCVPixelFormatType_32ARGB, kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ABGR, kCVPixelFormatType_32RGBA,
      kCVPixelFormatType_OneComponent32Float, kCVPixelFormatType_TwoComponent16, kCVPixelFormatType_TwoComponent16Half,
      kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DisparityFloat32:
      self = .packed(bytes: 4)
    case kCVPixelFormatType_48RGB: self = .packed(bytes: 6)
    case kCVPixelFormatType_TwoComponent32Float, kCVPixelFormatType_64RGBAHalf: self = .packed(bytes: 8)
    case kCVPixelFormatType_128RGBAFloat: self = .packed(bytes: 16)
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
      self = .planar([(1, 1), (2, 2)])
    case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
      self = .planar([(1, 1), (1, 2), (1, 2)])
    default: return nil
    }
  }

  /// As people read a code: `'BGRA'`, or `0x00000020` where it is no text.
  package static func name(_ type: OSType) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
    if bytes.allSatisfy({ (0x20...0x7e).contains($0) }) { return "'\(String(decoding: bytes, as: UTF8.self))'" }
    let digits = String(type, radix: 16)
    return "0x\(String(repeating: "0", count: 8 - digits.count))\(digits)"
  }
}
