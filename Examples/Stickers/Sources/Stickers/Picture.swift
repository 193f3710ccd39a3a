import CoreGraphics
import Foundation
import ImageIO

/// White paper to draw on with a black pen.
struct Picture {
  private let side: Int
  /// A byte a pixel, row by row from the top.
  private var pixels: [UInt8]

  init(side: Int) { (self.side, pixels) = (side, [UInt8](repeating: 255, count: side * side)) }

  /// A straight stroke with round ends, in pixels; what lies outside is left out.
  mutating func draw(_ from: SIMD2<Double>, _ to: SIMD2<Double>, width: Double) {
    let reach = width / 2 + 1
    let line = to - from
    let square = max((line * line).sum(), 1e-9)
    for y in rows(min(from.y, to.y) - reach, max(from.y, to.y) + reach) {
      for x in rows(min(from.x, to.x) - reach, max(from.x, to.x) + reach) {
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - from
        let nearest = min(max((place * line).sum() / square, 0), 1) * line
        let distance = ((place - nearest) * (place - nearest)).sum().squareRoot()
        let paper = UInt8(255 * min(max(distance - width / 2 + 0.5, 0), 1))
        pixels[y * side + x] = min(pixels[y * side + x], paper)
      }
    }
  }

  private func rows(_ first: Double, _ last: Double) -> Range<Int> {
    let first = Int(min(max(first, 0), Double(side)))
    return first..<max(first, Int(min(max(last, 0), Double(side))))
  }

  var image: CGImage? {
    guard let provider = CGDataProvider(data: Data(pixels)) else { return nil }
    return CGImage(
      width: side,
      height: side,
      bitsPerComponent: 8,
      bitsPerPixel: 8,
      bytesPerRow: side,
      space: CGColorSpaceCreateDeviceGray(),
      bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue),
      provider: provider,
      decode: nil,
      shouldInterpolate: true,
      intent: .defaultIntent
    )
  }

  /// As PNG.
  func write(to url: URL) throws {
    guard let image, let file = CGImageDestinationCreateWithURL(url, "public.png", 1, nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    CGImageDestinationAddImage(file, image, nil)
    guard CGImageDestinationFinalize(file) else { throw CocoaError(.fileWriteUnknown) }
  }
}
