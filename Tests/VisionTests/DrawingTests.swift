import CoreML
import Foundation
import Testing
import Vision

/// Pictures as models take them, beside Pillow: sizes, parts, options, orientations, formats of files and of pixels.
@Suite struct DrawingTests {
  private struct Case: Decodable {
    let file: String, orientation: UInt32, isInFile: Bool
    let option: UInt, part: [Double], size: [Int], format: String
    let expected: String, drawn: String

    var pixelFormat: (type: OSType, bytes: Int) {
      switch format {
      case "BGRA": (kCVPixelFormatType_32BGRA, 4)
      case "ARGB": (kCVPixelFormatType_32ARGB, 4)
      case "RGBA": (kCVPixelFormatType_32RGBA, 4)
      case "24RGB": (kCVPixelFormatType_24RGB, 3)
      default: (kCVPixelFormatType_OneComponent8, 1)
      }
    }

    func value(in folder: URL) throws -> MLFeatureValue {
      let url = folder.appending(path: file)
      let options: [MLFeatureValue.ImageOption: Any] = [
        .cropAndScale: try #require(VNImageCropAndScaleOption(rawValue: option)),
        .cropRect: CGRect(x: part[0], y: part[1], width: part[2], height: part[3]),
      ]
      if isInFile {
        return try MLFeatureValue(
          imageAt: url,
          pixelsWide: size[0],
          pixelsHigh: size[1],
          pixelFormatType: pixelFormat.type,
          options: options
        )
      }
      return try MLFeatureValue(
        imageAt: url,
        orientation: try #require(CGImagePropertyOrientation(rawValue: orientation)),
        pixelsWide: size[0],
        pixelsHigh: size[1],
        pixelFormatType: pixelFormat.type,
        options: options
      )
    }
  }

  @Test func isWithinOneLevelOfPillow() throws {
    let folder = try Workspace()
    try Python.run("draw_pictures.py", [folder.url.path(), "240", "7"])
    let cases = try JSONDecoder().decode(
      [Case].self,
      from: Data(contentsOf: folder.url.appending(path: "cases.json"))
    )
    #expect(cases.count == 240)
    for one in cases {
      let (type, bytes) = one.pixelFormat
      let buffer = try #require(try one.value(in: folder.url).imageBufferValue)
      #expect(CVPixelBufferGetWidth(buffer) == one.size[0] && CVPixelBufferGetHeight(buffer) == one.size[1])
      #expect(CVPixelBufferGetPixelFormatType(buffer) == type)
      let found = try buffer.pixels(bytes)
      let expected = [UInt8](try Data(contentsOf: folder.url.appending(path: one.expected)))
      let drawn = [UInt8](try Data(contentsOf: folder.url.appending(path: one.drawn)))
      try #require(found.count == expected.count)
      // Luma is taken before resampling by Pillow and behind it here: each rounds once more.
      let most = type == kCVPixelFormatType_OneComponent8 ? 2 : 1
      let worst =
        found.indices.filter { drawn[$0 / bytes] > 0 }
        .map { abs(Int(found[$0]) - Int(expected[$0])) }.max() ?? 0
      #expect(worst <= most, "\(one)")
      #expect(found.indices.allSatisfy { drawn[$0 / bytes] > 0 || found[$0] == 0 }, "\(one)")
    }
  }

  @Test func optionsThatAreNoneAreRefused() throws {
    let image = try Pictures.image(4, 3, Pictures.colours(4, 3))
    func value(_ options: [MLFeatureValue.ImageOption: Any], _ format: OSType = kCVPixelFormatType_32BGRA) throws {
      _ = try MLFeatureValue(cgImage: image, pixelsWide: 2, pixelsHigh: 2, pixelFormatType: format, options: options)
    }
    try value([.cropAndScale: NSNumber(value: 257)])
    try value([.cropRect: NSValue(rect: CGRect(x: 0, y: 0, width: 0.5, height: 1))])
    #expect(throws: MLModelError.self) { try value([.cropAndScale: 3]) }
    #expect(throws: MLModelError.self) { try value([.cropAndScale: -1]) }
    #expect(throws: MLModelError.self) { try value([.cropRect: "all"]) }
    #expect(throws: MLModelError.self) { try value([.cropRect: CGRect(x: 2, y: 0, width: 1, height: 1)]) }
    #expect(throws: MLModelError.self) { try value([.cropRect: CGRect(x: 0, y: 0, width: 0, height: 1)]) }
    #expect(throws: MLModelError.self) { try value([MLFeatureValue.ImageOption("other"): 1]) }
    #expect(throws: MLModelError.self) { try value([:], kCVPixelFormatType_128RGBAFloat) }
    for size in [0, -1, Int.max] {
      #expect(throws: MLModelError.self) {
        try MLFeatureValue(
          cgImage: image,
          pixelsWide: size,
          pixelsHigh: 2,
          pixelFormatType: kCVPixelFormatType_32BGRA
        )
      }
    }
  }

  /// Halves hold the same numbers as bytes.
  @Test func halvesAreBytes() throws {
    let image = try Pictures.image(9, 7, Pictures.colours(9, 7))
    func buffer(_ format: OSType) throws -> CVPixelBuffer {
      try #require(
        try MLFeatureValue(cgImage: image, pixelsWide: 5, pixelsHigh: 4, pixelFormatType: format).imageBufferValue
      )
    }
    let halves = try buffer(kCVPixelFormatType_OneComponent16Half).pixels(2)
    let numbers = halves.withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
    #expect(numbers == (try buffer(kCVPixelFormatType_OneComponent8).pixels(1)).map { Float16($0) })
  }
}
