import CoreGraphics
import Foundation
import ImageIO

/// A picture in memory: rows from the top, three bytes a pixel, red, green, blue.
struct Picture: Equatable, Sendable {
  struct Problem: Error, CustomStringConvertible { let description: String }

  let width: Int, height: Int
  var pixels: [UInt8]

  /// Black.
  init(width: Int, height: Int) {
    (self.width, self.height, pixels) = (width, height, [UInt8](repeating: 0, count: 3 * width * height))
  }

  /// The picture in a file, turned as the file says; transparent parts stand on black.
  init(contentsOf url: URL) throws {
    guard let source = CGImageSourceCreateWithURL(url, nil),
      let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil),
      let width = properties[kCGImagePropertyPixelWidth] as? Int,
      let height = properties[kCGImagePropertyPixelHeight] as? Int,
      let image = CGImageSourceCreateThumbnailAtIndex(
        source,
        0,
        [kCGImageSourceCreateThumbnailWithTransform: true, kCGImageSourceThumbnailMaxPixelSize: max(width, height)]
      ),
      let context = CGContext(
        data: nil,
        width: image.width,
        height: image.height,
        bitsPerComponent: 8,
        bytesPerRow: 4 * image.width,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue
      )
    else { throw Problem(description: "'\(url.path)' is no picture that can be read") }
    context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
    self.init(width: image.width, height: image.height)
    guard let data = context.data?.assumingMemoryBound(to: UInt8.self) else { return }
    for pixel in 0..<self.width * self.height {
      for channel in 0..<3 { pixels[3 * pixel + channel] = data[4 * pixel + channel] }
    }
    withExtendedLifetime(context) {}
  }

  /// As PNG.
  func write(to url: URL) throws {
    guard let provider = CGDataProvider(data: Data(pixels)),
      let image = CGImage(
        width: width,
        height: height,
        bitsPerComponent: 8,
        bitsPerPixel: 24,
        bytesPerRow: 3 * width,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue),
        provider: provider,
        decode: nil,
        shouldInterpolate: true,
        intent: .defaultIntent
      ),
      let destination = CGImageDestinationCreateWithURL(url, "public.png", 1, nil)
    else { throw Problem(description: "the picture cannot be written") }
    CGImageDestinationAddImage(destination, image, nil)
    if !CGImageDestinationFinalize(destination) {
      throw Problem(description: "the picture cannot be written to '\(url.path)'")
    }
  }

  /// The colour of each pixel.
  var lab: [Lab] {
    (0..<width * height).map { Lab(pixels[3 * $0], pixels[3 * $0 + 1], pixels[3 * $0 + 2]) }
  }

  /// Without its colours.
  var grey: Picture {
    var result = self
    for (pixel, colour) in lab.enumerated() { result.set(pixel, Lab(l: colour.l, a: 0, b: 0)) }
    return result
  }

  mutating func set(_ pixel: Int, _ colour: Lab) {
    (pixels[3 * pixel], pixels[3 * pixel + 1], pixels[3 * pixel + 2]) = colour.rgb
  }
}
