import CoreML
import Foundation
import MLCCore
import Testing

/// Predictions that take and give pixel buffers.
@Suite struct ImagePredictionTests {
  private let colours = Pictures.colours(6, 4)

  /// Rows of pixels with their channels at `places` of `bytes`.
  private func pixels(_ bytes: Int, _ places: [Int]) -> [UInt8] {
    (0..<24).flatMap { pixel in
      var result = [UInt8](repeating: 9, count: bytes)
      for (channel, place) in places.enumerated() { result[place] = colours[pixel * 3 + channel] }
      return result
    }
  }

  /// What the model makes of a byte, as a byte.
  private func inverted(_ value: UInt8) -> UInt8 {
    UInt8(min(255, (1.5 * (255 - Double(value))).rounded(.toNearestOrEven)))
  }

  private func numbers(_ output: any MLFeatureProvider) throws -> [Double] {
    let array = try #require(output.featureValue(for: "numbers")?.multiArrayValue)
    return (0..<array.count).map { array[$0].doubleValue }
  }

  @Test func takeColoursInEveryOrder() throws {
    let formats: [(OSType, Int, [Int])] = [
      (kCVPixelFormatType_32BGRA, 4, [2, 1, 0]), (kCVPixelFormatType_32ARGB, 4, [1, 2, 3]),
      (kCVPixelFormatType_32RGBA, 4, [0, 1, 2]), (kCVPixelFormatType_32ABGR, 4, [3, 2, 1]),
      (kCVPixelFormatType_24RGB, 3, [0, 1, 2]), (kCVPixelFormatType_24BGR, 3, [2, 1, 0]),
    ]
    for (space, order) in [(Feature.ColorSpace.rgb, [0, 1, 2]), (.bgr, [2, 1, 0])] {
      for dtype in [DType.float32, .float16] {
        let model = try MLModel(contentsOf: Models.negative(space, dtype))
        let expected = order.flatMap { channel in (0..<24).map { Double(colours[$0 * 3 + channel]) } }
        for (format, bytes, places) in formats {
          let buffer = try CVBuffer.of(6, 4, format, pixels(bytes, places))
          let input = try MLDictionaryFeatureProvider(dictionary: ["image": buffer])
          let output = try model.prediction(from: input)
          #expect(try numbers(output) == expected)
          let negative = try #require(output.featureValue(for: "negative"))
          #expect(negative.type == .image && negative.multiArrayValue == nil)
          let picture = try #require(negative.imageBufferValue)
          #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_32BGRA)
          var wanted: [UInt8] = []
          for pixel in 0..<24 {
            wanted += [2, 1, 0].map { inverted(colours[pixel * 3 + $0]) } + [255]
          }
          #expect(try picture.pixels(4) == wanted)
        }
      }
    }
  }

  @Test func takeGreysAndHalves() throws {
    let grey = Array(colours.prefix(24))
    let model = try MLModel(contentsOf: Models.negative(.gray))
    let buffer = try CVBuffer.of(6, 4, kCVPixelFormatType_OneComponent8, grey)
    let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["image": buffer]))
    #expect(try numbers(output) == grey.map { Double($0) })
    let values = grey.map { Float16($0) / 3 }
    let bytes = values.withUnsafeBytes { Array($0) }
    let halves = try CVBuffer.of(6, 4, kCVPixelFormatType_OneComponent16Half, bytes)
    let other = try MLModel(contentsOf: Models.negative(.gray16))
    let answer = try other.prediction(from: MLDictionaryFeatureProvider(dictionary: ["image": halves]))
    #expect(try numbers(answer) == values.map { Double($0) })
    let negative = try #require(answer.featureValue(for: "negative")?.imageBufferValue)
    #expect(CVPixelBufferGetPixelFormatType(negative) == kCVPixelFormatType_OneComponent16Half)
    let found = try negative.pixels(2).withUnsafeBytes { Array($0.bindMemory(to: Float16.self)) }
    #expect(found == values.map { Float16(1.5 * (255 - Float($0))) })
  }

  @Test func takeArraysToo() throws {
    let model = try MLModel(contentsOf: Models.negative(.rgb))
    let array = try MLMultiArray(shape: [1, 3, 4, 6], dataType: .float32)
    for index in 0..<array.count { array[index] = NSNumber(value: index) }
    let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["image": array]))
    #expect(try numbers(output) == (0..<72).map { Double($0) })
  }

  @Test func refuseOtherSizesAndFormats() throws {
    let model = try MLModel(contentsOf: Models.negative(.rgb))
    let description = try #require(model.modelDescription.inputDescriptionsByName["image"])
    let constraint = try #require(description.imageConstraint)
    #expect(constraint.pixelsWide == 6 && constraint.pixelsHigh == 4)
    #expect(constraint.pixelFormatType == kCVPixelFormatType_32BGRA)
    for (width, height, format, bytes) in [
      (6, 4, kCVPixelFormatType_32BGRA, 4), (5, 4, kCVPixelFormatType_32BGRA, 4), (6, 5, kCVPixelFormatType_32BGRA, 4),
      (6, 4, kCVPixelFormatType_OneComponent8, 1), (6, 4, kCVPixelFormatType_128RGBAFloat, 16),
    ] {
      let buffer = try CVBuffer.of(width, height, format, Array(repeating: 0, count: width * height * bytes))
      let value = MLFeatureValue(pixelBuffer: buffer)
      let isSound = width == 6 && height == 4 && format == kCVPixelFormatType_32BGRA
      #expect(description.isAllowedValue(value) == isSound)
      let input = try MLDictionaryFeatureProvider(dictionary: ["image": value])
      if isSound {
        _ = try model.prediction(from: input)
      } else {
        #expect(modelCode { try model.prediction(from: input) } == .featureType)
      }
    }
  }

  @Test func writeIntoTheCallersBuffers() throws {
    let model = try MLModel(contentsOf: Models.negative(.rgb))
    let input = try MLDictionaryFeatureProvider(dictionary: [
      "image": try CVBuffer.of(6, 4, kCVPixelFormatType_24RGB, colours)
    ])
    let options = MLPredictionOptions()
    let backing = try CVBuffer.of(6, 4, kCVPixelFormatType_24RGB, Array(repeating: 0, count: 72))
    options.outputBackings = ["negative": backing]
    let output = try model.prediction(from: input, options: options)
    #expect(output.featureValue(for: "negative")?.imageBufferValue == backing)
    let expected = colours.map { inverted($0) }
    #expect(try backing.pixels(3) == expected)
    options.outputBackings = [
      "negative": try CVBuffer.of(6, 5, kCVPixelFormatType_24RGB, Array(repeating: 0, count: 90))
    ]
    #expect(modelCode { try model.prediction(from: input, options: options) } == .featureType)
    options.outputBackings = ["numbers": backing]
    #expect(modelCode { try model.prediction(from: input, options: options) } == .featureType)
  }

  @Test func valuesKeepTheirBuffers() throws {
    let buffer = try CVBuffer.of(6, 4, kCVPixelFormatType_24RGB, colours)
    let value = MLFeatureValue(pixelBuffer: buffer)
    #expect(value.type == .image && value.imageBufferValue == buffer && !value.isUndefined)
    #expect(value == MLFeatureValue(pixelBuffer: buffer) && value != MLFeatureValue(double: 1))
    #expect(MLFeatureValue(double: 1).imageBufferValue == nil)
  }
}
