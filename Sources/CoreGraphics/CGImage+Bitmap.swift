extension CGImage {
  /// A picture of pixels that are there, which stay with it: grey or red, green, blue, with or without alpha behind.
  package convenience init?(_ bitmap: Bitmap) {
    let (layout, owner) = (bitmap.layout, bitmap.owner)
    let alpha: CGImageAlphaInfo =
      switch layout.bytes {
      case 1, 3: .none
      default: layout.alpha == nil ? .noneSkipLast : layout.isPremultiplied ? .premultipliedLast : .last
      }
    let count = bitmap.bytesPerRow * (bitmap.height - 1) + bitmap.width * layout.bytes
    let provider = CGDataProvider(UnsafeRawBufferPointer(start: bitmap.base, count: count)) {
      withExtendedLifetime(owner) {}
    }
    self.init(
      width: bitmap.width,
      height: bitmap.height,
      bitsPerComponent: 8,
      bitsPerPixel: 8 * layout.bytes,
      bytesPerRow: bitmap.bytesPerRow,
      space: layout.isGrey ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue),
      provider: provider,
      decode: nil,
      shouldInterpolate: true,
      intent: .defaultIntent
    )
  }
}
