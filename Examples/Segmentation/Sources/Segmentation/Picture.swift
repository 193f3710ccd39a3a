import CoreGraphics
import Foundation
import ImageIO

/// A picture to draw on: red, green, blue and an unused byte a pixel, row by row from the top.
struct Picture {
  let width: Int, height: Int
  private let context: CGContext

  /// Throws `Problem` when the file is no picture.
  static func image(at path: String) throws -> CGImage {
    guard let source = CGImageSourceCreateWithURL(URL(filePath: path), nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else { throw Problem("\(path) is no picture") }
    return image
  }

  init(_ image: CGImage) throws {
    (width, height) = (image.width, image.height)
    let context = CGContext(
      data: nil,
      width: width,
      height: height,
      bitsPerComponent: 8,
      bytesPerRow: 4 * width,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue
    )
    guard let context else { throw Problem("\(width) × \(height) pixels are too many") }
    context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
    self.context = context
  }

  /// Red, green and blue at a place inside.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    withExtendedLifetime(context) {
      guard let data = context.data else { return [] }
      return (0..<3).map { data.load(fromByteOffset: y * context.bytesPerRow + 4 * x + $0, as: UInt8.self) }
    }
  }

  /// Mixes a colour in; places outside are left alone.
  private func mix(_ colour: [Float], _ share: Float, _ x: Int, _ y: Int) {
    guard x >= 0, x < width, y >= 0, y < height, let data = context.data else { return }
    let bytes = (data + y * context.bytesPerRow + 4 * x).assumingMemoryBound(to: UInt8.self)
    for channel in 0..<3 { bytes[channel] = UInt8(Float(bytes[channel]) * (1 - share) + colour[channel] * share) }
  }

  /// Tints the object and draws its box; `network` is the size of the picture that the network saw, `cells` that of
  /// its prototypes.
  func draw(_ object: Detection, network: (width: Int, height: Int), cells: (width: Int, height: Int)) {
    let colours: [[Float]] = [[255, 220, 0], [255, 0, 220], [0, 240, 255], [255, 130, 0], [140, 255, 0]]
    let colour = colours[object.kind % colours.count]
    let box = object.box.scaled(x: Float(width) / Float(network.width), y: Float(height) / Float(network.height))
    let (across, down) = (Float(cells.width) / Float(width), Float(cells.height) / Float(height))
    let (left, right) = (Self.clamped(box.left, width), Self.clamped(box.right, width))
    let (top, bottom) = (Self.clamped(box.top, height), Self.clamped(box.bottom, height))
    for y in top..<max(top, bottom) {
      for x in left..<max(left, right) {
        let isEdge = min(x - left, right - 1 - x, y - top, bottom - 1 - y) < 2
        let isInside = object.mask.value(x: (Float(x) + 0.5) * across, y: (Float(y) + 0.5) * down) > 0
        if isEdge { mix(colour, 1, x, y) } else if isInside { mix(colour, 0.5, x, y) }
      }
    }
  }

  private static func clamped(_ value: Float, _ count: Int) -> Int {
    value.isFinite ? Int(min(max(value.rounded(), 0), Float(count))) : 0
  }

  /// Throws `Problem` when the file cannot be written.
  func write(to path: String) throws {
    guard let image = context.makeImage(),
      let file = CGImageDestinationCreateWithURL(URL(filePath: path), "public.png", 1, nil)
    else { throw Problem("\(path): no picture to write") }
    CGImageDestinationAddImage(file, image, nil)
    guard CGImageDestinationFinalize(file) else { throw Problem("\(path) cannot be written") }
  }
}
