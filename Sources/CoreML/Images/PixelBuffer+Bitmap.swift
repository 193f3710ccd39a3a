import CMLCPixels
import CoreGraphics
import CoreVideo

extension PixelLayout {
  /// Of a format of Core Video's with one plane and 8 bits a channel; `nil` for others.
  package init?(pixelFormat: OSType) {
    switch pixelFormat {
    case kCVPixelFormatType_32BGRA: self = .bgra
    case kCVPixelFormatType_32ARGB: self = .argb
    case kCVPixelFormatType_32RGBA: self = .rgba
    case kCVPixelFormatType_32ABGR: self = .abgr
    case kCVPixelFormatType_24RGB: self = .rgb
    case kCVPixelFormatType_24BGR: self = .bgr
    case kCVPixelFormatType_OneComponent8: self = .grey
    default: return nil
    }
  }

  /// The same pixels, whose alpha does not count.
  fileprivate var opaque: PixelLayout { PixelLayout(bytes: bytes, red: red, green: green, blue: blue) }
}

extension CVBuffer {
  /// A buffer of zeros. Throws `MLModelError.generic` where Core Video makes none.
  package static func make(_ width: Int, _ height: Int, _ format: OSType) throws(MLModelError) -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    let status = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &buffer)
    if let buffer { return buffer }
    let what = "\(width) × \(height) of \(PixelFormat.name(format))"
    throw MLModelError(.generic, "there can be no pixel buffer \(what): Core Video answers \(status)")
  }

  package var size: (width: Int, height: Int) { (CVPixelBufferGetWidth(self), CVPixelBufferGetHeight(self)) }
  package var format: OSType { CVPixelBufferGetPixelFormatType(self) }
  package var bytesPerRow: Int { CVPixelBufferGetBytesPerRow(self) }
  package var base: UnsafeMutableRawPointer { CVPixelBufferGetBaseAddress(self)! }

  /// Its pixels in 8 bits a channel, all opaque; those of luma and differences of colour are converted.
  ///
  /// Throws `MLModelError.featureType` for other formats.
  package func bitmap() throws(MLModelError) -> Bitmap {
    let isFull = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    if isFull || format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange {
      return try converted(isFullRange: isFull).bitmap()
    }
    let (width, height) = size
    guard let layout = PixelLayout(pixelFormat: format)?.opaque,
      let bitmap = Bitmap(base, bytesPerRow * height, width, height, bytesPerRow, layout, owner: self)
    else {
      let name = PixelFormat.name(format)
      throw MLModelError(.featureType, "a pixel buffer of the format \(name) cannot be drawn, \(width) × \(height)")
    }
    return bitmap
  }

  /// Luma and differences of colour as `32BGRA`.
  private func converted(isFullRange: Bool) throws(MLModelError) -> CVPixelBuffer {
    let result = try CVBuffer.make(size.width, size.height, kCVPixelFormatType_32BGRA)
    guard let luma = CVPixelBufferGetBaseAddressOfPlane(self, 0),
      let chroma = CVPixelBufferGetBaseAddressOfPlane(self, 1)
    else { throw MLModelError(.featureType, "the pixel buffer lacks a plane") }
    mlc_bgra_from_biplanar(
      luma.assumingMemoryBound(to: UInt8.self),
      CVPixelBufferGetBytesPerRowOfPlane(self, 0),
      chroma.assumingMemoryBound(to: UInt8.self),
      CVPixelBufferGetBytesPerRowOfPlane(self, 1),
      Int32(size.width),
      Int32(size.height),
      isFullRange ? 1 : 0,
      result.base.assumingMemoryBound(to: UInt8.self),
      result.bytesPerRow
    )
    return result
  }
}
