import Foundation

/// A picture of pixels, which does not change. Rows count from the top.
///
/// Pixels have 8 bits a channel: grey in 8 bits or, with alpha, 16; red, green and blue in 24 bits or, with a fourth
/// byte, 32.
public final class CGImage: Hashable, Sendable {
  public let width: Int, height: Int
  public let bitsPerComponent: Int, bitsPerPixel: Int
  /// From row to row.
  public let bytesPerRow: Int
  public let colorSpace: CGColorSpace?
  public let bitmapInfo: CGBitmapInfo
  public let shouldInterpolate: Bool
  public let renderingIntent: CGColorRenderingIntent
  public let dataProvider: CGDataProvider?
  /// The pixels.
  package let bitmap: Bitmap

  /// A picture of the provider's bytes; `nil` where they are too few, extents are not positive, `decode` changes
  /// values, or pixels are of other kinds than those that are known.
  public init?(
    width: Int,
    height: Int,
    bitsPerComponent: Int,
    bitsPerPixel: Int,
    bytesPerRow: Int,
    space: CGColorSpace,
    bitmapInfo: CGBitmapInfo,
    provider: CGDataProvider,
    decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool,
    intent: CGColorRenderingIntent
  ) {
    guard decode == nil, bitsPerComponent == 8, let start = provider.bytes.baseAddress,
      let layout = PixelLayout(bitsPerPixel: bitsPerPixel, space.model, bitmapInfo),
      let bitmap = Bitmap(start, provider.bytes.count, width, height, bytesPerRow, layout, owner: provider)
    else { return nil }
    (self.width, self.height, self.bytesPerRow, self.bitmap) = (width, height, bytesPerRow, bitmap)
    (self.bitsPerComponent, self.bitsPerPixel, self.bitmapInfo) = (bitsPerComponent, bitsPerPixel, bitmapInfo)
    (self.shouldInterpolate, renderingIntent, dataProvider, colorSpace) = (shouldInterpolate, intent, provider, space)
  }

  /// The part of the picture in `rect`, in pixels, widened to whole ones; `nil` where they do not meet. Shares memory.
  public func cropping(to rect: CGRect) -> CGImage? {
    func place(_ value: CGFloat, _ most: Int) -> Int { Int(min(max(value, 0), CGFloat(most))) }
    let (left, right) = (place(rect.minX.rounded(.down), width), place(rect.maxX.rounded(.up), width))
    let (top, bottom) = (place(rect.minY.rounded(.down), height), place(rect.maxY.rounded(.up), height))
    guard left < right, top < bottom, let provider = dataProvider, let space = colorSpace else { return nil }
    let start = (bitmap.base - provider.bytes.baseAddress!) + top * bytesPerRow + left * bitsPerPixel / 8
    let bytes = UnsafeRawBufferPointer(rebasing: provider.bytes[start...])
    return CGImage(
      width: right - left,
      height: bottom - top,
      bitsPerComponent: bitsPerComponent,
      bitsPerPixel: bitsPerPixel,
      bytesPerRow: bytesPerRow,
      space: space,
      bitmapInfo: bitmapInfo,
      provider: CGDataProvider(bytes) { withExtendedLifetime(provider) {} },
      decode: nil,
      shouldInterpolate: shouldInterpolate,
      intent: renderingIntent
    )
  }

  public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alpha ?? .none }
  public var byteOrderInfo: CGImageByteOrderInfo {
    CGImageByteOrderInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.byteOrderMask.rawValue) ?? .orderDefault
  }
  public var isMask: Bool { false }

  public static func == (a: CGImage, b: CGImage) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
