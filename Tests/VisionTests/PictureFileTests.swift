import CoreML
import Foundation
import ImageIO
import Testing

/// Files of pictures: what is read of them, what is written, and what is refused.
@Suite struct PictureFileTests {
  private let colours = Pictures.colours(11, 6)

  private func png(_ image: CGImage) throws -> Data {
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.png", 1, nil))
    CGImageDestinationAddImage(destination, image, nil)
    #expect(CGImageDestinationFinalize(destination))
    return data as Data
  }

  @Test func writtenPicturesAreReadAgain() throws {
    let data = try png(Pictures.image(11, 6, colours))
    let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
    #expect(CGImageSourceGetType(source) == "public.png" && CGImageSourceGetCount(source) == 1)
    let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    #expect(properties[kCGImagePropertyPixelWidth] as? Int == 11)
    #expect(properties[kCGImagePropertyPixelHeight] as? Int == 6)
    #expect(properties[kCGImagePropertyOrientation] as? UInt32 == 1)
    let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(image.width == 11 && image.height == 6 && image.bitsPerPixel == 24)
    #expect(image.dataProvider?.data == Data(colours))
    #expect(CGImageSourceCreateImageAtIndex(source, 1, nil) == nil)
    let folder = try Workspace()
    let url = folder.url.appending(path: "written.png")
    let destination = try #require(CGImageDestinationCreateWithURL(url as CFURL, "public.png", 1, nil))
    CGImageDestinationAddImage(destination, image, nil)
    #expect(CGImageDestinationFinalize(destination))
    #expect(try Data(contentsOf: url) == data)
    #expect(CGImageDestinationCreateWithURL(url as CFURL, "public.jpeg", 1, nil) == nil)
    let absent = folder.url.appending(path: "no/such/folder.png")
    let other = try #require(CGImageDestinationCreateWithURL(absent as CFURL, "public.png", 1, nil))
    CGImageDestinationAddImage(other, image, nil)
    #expect(!CGImageDestinationFinalize(other))
  }

  @Test func thumbnailsAreNoLongerThanAsked() throws {
    let source = try #require(CGImageSourceCreateWithData(try png(Pictures.image(11, 6, colours)) as CFData, nil))
    let options = [kCGImageSourceThumbnailMaxPixelSize: 4] as CFDictionary
    let small = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options))
    #expect(small.width == 4 && small.height == 2)
    let whole = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, nil))
    #expect(whole.width == 11 && whole.height == 6)
  }

  /// Every file that is cut off or changed somewhere is read as some picture or refused, and never larger than it says.
  @Test func damagedFilesAreRefused() throws {
    let whole = try png(Pictures.image(11, 6, colours))
    for count in stride(from: 0, to: whole.count - 12, by: 7) {
      let source = CGImageSourceCreateWithData(whole.prefix(count), nil)
      #expect(source.flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) } == nil, "\(count) bytes")
    }
    for place in whole.indices {
      var data = whole
      data[place] ^= 0x55
      let source = CGImageSourceCreateWithData(data, nil)
      if let image = source.flatMap({ CGImageSourceCreateImageAtIndex($0, 0, nil) }) {
        #expect(image.bytesPerRow * image.height <= 1 << 28)
      }
    }
    // 65535 × 65535 pixels in a header of a few bytes.
    let huge = Data("P6 65535 65535 255\n".utf8)
    #expect(CGImageSourceCreateWithData(huge, nil) == nil)
    let folder = try Workspace()
    let url = folder.url.appending(path: "damaged.png")
    try whole.prefix(60).write(to: url)
    for path in [url, folder.url.appending(path: "absent.png"), folder.url] {
      let problem = modelCode {
        try MLFeatureValue(imageAt: path, pixelsWide: 4, pixelsHigh: 4, pixelFormatType: kCVPixelFormatType_32BGRA)
      }
      #expect(problem == .io)
    }
  }

  @Test func partsOfPicturesShareThem() throws {
    let image = try Pictures.image(11, 6, colours)
    let part = try #require(image.cropping(to: CGRect(x: 2.5, y: 1, width: 3, height: 2)))
    #expect(part.width == 4 && part.height == 2)
    let value = try MLFeatureValue(
      cgImage: part,
      pixelsWide: 4,
      pixelsHigh: 2,
      pixelFormatType: kCVPixelFormatType_24RGB
    )
    var expected: [UInt8] = []
    for y in 1...2 { expected += colours[(y * 11 + 2) * 3..<(y * 11 + 6) * 3] }
    #expect(try value.imageBufferValue?.pixels(3) == expected)
    #expect(image.cropping(to: CGRect(x: 11, y: 0, width: 4, height: 4)) == nil)
  }
}
