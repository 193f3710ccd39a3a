import CoreML
import Foundation
import Testing

/// Pictures drawn into memory.
@Suite struct ContextTests {
  /// As people fill pixel buffers.
  @Test func picturesFillPixelBuffers() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(kCFAllocatorDefault, 6, 4, kCVPixelFormatType_32ARGB, nil, &made)
    let buffer = try #require(made)
    CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
    let context = try #require(
      CGContext(
        data: CVPixelBufferGetBaseAddress(buffer),
        width: 6,
        height: 4,
        bitsPerComponent: 8,
        bytesPerRow: CVPixelBufferGetBytesPerRow(buffer),
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedFirst.rawValue
      )
    )
    let colours = Pictures.colours(6, 4)
    context.draw(try Pictures.image(6, 4, colours), in: CGRect(x: 0, y: 0, width: 6, height: 4))
    CVPixelBufferUnlockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
    var wanted: [UInt8] = []
    for pixel in 0..<24 { wanted += [255] + colours[3 * pixel..<3 * pixel + 3] }
    #expect(try buffer.pixels(4) == wanted)
  }

  /// Half of red over white is pink; over nothing it stays what it is.
  @Test func whatIsTransparentShowsWhatIsBelow() throws {
    func context() throws -> CGContext {
      try #require(
        CGContext(
          data: nil,
          width: 2,
          height: 2,
          bitsPerComponent: 8,
          bytesPerRow: 0,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue
        )
      )
    }
    let half = try Pictures.image(1, 1, [255, 0, 0, 128], alpha: .last)
    let white = try Pictures.image(1, 1, [255, 255, 255, 255], alpha: .last)
    let over = try context()
    over.draw(white, in: CGRect(x: 0, y: 0, width: 2, height: 2))
    // The lower left pixel alone.
    over.draw(half, in: CGRect(x: -4, y: -4, width: 5, height: 5))
    let pixels = try #require(over.makeImage()?.dataProvider?.data)
    #expect(Array(pixels) == [255, 255, 255, 255, 255, 255, 255, 255, 255, 127, 127, 255, 255, 255, 255, 255])
    let alone = try context()
    alone.draw(half, in: CGRect(x: 0, y: 0, width: 2, height: 2))
    #expect(Array(try #require(alone.makeImage()?.dataProvider?.data).prefix(4)) == [128, 0, 0, 128])
    over.clear(CGRect(x: 1, y: 0, width: 1, height: 1))
    #expect(Array(try #require(over.makeImage()?.dataProvider?.data).suffix(4)) == [0, 0, 0, 0])
  }

  @Test func whatCannotBeDrawnIntoIsRefused() {
    func context(_ width: Int, _ row: Int, _ info: CGImageAlphaInfo) -> CGContext? {
      CGContext(
        data: nil,
        width: width,
        height: 4,
        bitsPerComponent: 8,
        bytesPerRow: row,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: info.rawValue
      )
    }
    #expect(context(4, 16, .noneSkipLast) != nil && context(4, 0, .premultipliedFirst) != nil)
    #expect(context(0, 0, .noneSkipLast) == nil && context(4, 15, .noneSkipLast) == nil)
    #expect(context(4, 16, .last) == nil && context(4, 16, .none) == nil)
    #expect(context(1 << 24, Int.max, .noneSkipLast) == nil)
  }
}
