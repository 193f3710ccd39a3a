import CMLCPixels
import Foundation

/// How carefully pictures are resized: always with antialiasing here.
public enum CGInterpolationQuality: Int32, Sendable {
  case `default` = 0
  case none = 1
  case low = 2
  case high = 3
  case medium = 4
}

/// Pixels that pictures are drawn into, over what is there. Rows lie in memory from the top; positions are in pixels
/// from the lower left.
public final class CGContext {
  public let width: Int, height: Int
  public let bitsPerComponent: Int, bitsPerPixel: Int
  /// From row to row.
  public let bytesPerRow: Int
  public let colorSpace: CGColorSpace?
  public let bitmapInfo: CGBitmapInfo
  /// Without effect.
  public var interpolationQuality = CGInterpolationQuality.default
  private let base: UnsafeMutableRawPointer
  private let memory: PixelMemory?
  private let layout: PixelLayout

  /// Draws into `data`, which stays as long as the context is there, or into zeros of its own. `bytesPerRow` may be 0
  /// where the memory is its own.
  ///
  /// `nil` for extents that are not positive, rows that are too short, and pixels of other kinds than grey in 8 bits
  /// and colours in 32, with alpha that colours are multiplied by or without.
  public init?(
    data: UnsafeMutableRawPointer?,
    width: Int,
    height: Int,
    bitsPerComponent: Int,
    bytesPerRow: Int,
    space: CGColorSpace,
    bitmapInfo: UInt32
  ) {
    let info = CGBitmapInfo(rawValue: bitmapInfo)
    let bits = space.model == .monochrome ? 8 : 32
    guard bitsPerComponent == 8, width > 0, height > 0, width <= 1 << 24, height <= 1 << 24,
      let layout = PixelLayout(bitsPerPixel: bits, space.model, info), layout.alpha == nil || layout.isPremultiplied
    else { return nil }
    let row = bytesPerRow == 0 && data == nil ? width * layout.bytes : bytesPerRow
    let (size, overflow) = row.multipliedReportingOverflow(by: height)
    guard row >= width * layout.bytes, !overflow, size <= 1 << 31 else { return nil }
    memory = data == nil ? PixelMemory(size) : nil
    guard let base = data ?? memory?.base else { return nil }
    if data == nil { base.initializeMemory(as: UInt8.self, repeating: 0, count: size) }
    (self.width, self.height, self.bytesPerRow, self.base, self.layout) = (width, height, row, base, layout)
    (self.bitsPerComponent, bitsPerPixel, colorSpace, self.bitmapInfo) = (8, bits, space, info)
  }

  /// The upper left pixel. Valid as long as the context is, or the caller's memory.
  public var data: UnsafeMutableRawPointer? { base }
  public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alpha ?? .none }

  /// Draws the picture into `rect`, whose sides are rounded to whole pixels. What lies outside of the context is left
  /// out.
  public func draw(_ image: CGImage, in rect: CGRect) {
    guard let placement = placement(of: image, in: rect) else { return }
    let isGrey = layout.isGrey
    let inner =
      isGrey
      ? PixelLayout(bytes: 2, red: 0, green: 0, blue: 0, alpha: 1, isPremultiplied: true)
      : PixelLayout(bytes: 4, red: 0, green: 1, blue: 2, alpha: 3, isPremultiplied: true)
    let row = placement.width * inner.bytes
    guard let drawn = PixelMemory(row * placement.height),
      image.bitmap.draw(
        Placement(box: placement.box, left: 0, top: 0, width: placement.width, height: placement.height),
        into: drawn.base,
        bytesPerRow: row,
        inner,
        keepsAlpha: true
      )
    else { return }
    let start = base + placement.top * bytesPerRow + placement.left * layout.bytes
    mlc_blend(
      drawn.base.assumingMemoryBound(to: UInt8.self),
      row,
      Int32(inner.bytes),
      start.assumingMemoryBound(to: UInt8.self),
      bytesPerRow,
      Int32(layout.bytes),
      Int32(placement.width),
      Int32(placement.height),
      map(isGrey: isGrey)
    )
  }

  /// Which byte of what is drawn each byte of a pixel is blended with.
  private func map(isGrey: Bool) -> [Int32] {
    (0..<4).map { byte in
      switch byte {
      case layout.alpha: isGrey ? 1 : 3
      case layout.red: 0
      case layout.green: 1
      case layout.blue: 2
      default: -1
      }
    }
  }

  /// Which part of the picture goes where; `nil` where nothing is seen.
  private func placement(of image: CGImage, in rect: CGRect) -> Placement? {
    let rect = rect.standardized
    guard rect.minX.isFinite, rect.maxX.isFinite, rect.minY.isFinite, rect.maxY.isFinite else { return nil }
    func side(_ value: CGFloat) -> CGFloat { value.rounded() }
    let (left, right) = (side(rect.minX), side(rect.maxX))
    let (top, bottom) = (side(CGFloat(height) - rect.maxY), side(CGFloat(height) - rect.minY))
    let (first, last) = (max(left, 0), min(right, CGFloat(width)))
    let (upper, lower) = (max(top, 0), min(bottom, CGFloat(height)))
    guard first < last, upper < lower else { return nil }
    let (across, down) = (CGFloat(image.width) / (right - left), CGFloat(image.height) / (bottom - top))
    return Placement(
      box: CGRect(
        x: (first - left) * across,
        y: (upper - top) * down,
        width: (last - first) * across,
        height: (lower - upper) * down
      ),
      left: Int(first),
      top: Int(upper),
      width: Int(last - first),
      height: Int(lower - upper)
    )
  }

  /// Makes the pixels in `rect`, whose sides are rounded to whole pixels, zeros.
  public func clear(_ rect: CGRect) {
    func place(_ value: CGFloat, _ most: Int) -> Int { Int(min(max(value.rounded(), 0), CGFloat(most))) }
    let rect = rect.standardized
    let (left, right) = (place(rect.minX, width), place(rect.maxX, width))
    let (top, bottom) = (place(CGFloat(height) - rect.maxY, height), place(CGFloat(height) - rect.minY, height))
    if left >= right { return }
    for y in top..<max(top, bottom) {
      (base + y * bytesPerRow + left * layout.bytes)
        .initializeMemory(as: UInt8.self, repeating: 0, count: (right - left) * layout.bytes)
    }
  }

  /// A copy of the pixels.
  public func makeImage() -> CGImage? {
    guard let space = colorSpace,
      let provider = CGDataProvider(data: Data(bytes: base, count: (height - 1) * bytesPerRow + width * layout.bytes))
    else { return nil }
    return CGImage(
      width: width,
      height: height,
      bitsPerComponent: bitsPerComponent,
      bitsPerPixel: bitsPerPixel,
      bytesPerRow: bytesPerRow,
      space: space,
      bitmapInfo: bitmapInfo,
      provider: provider,
      decode: nil,
      shouldInterpolate: true,
      intent: .defaultIntent
    )
  }
}
