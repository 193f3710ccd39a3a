import CoreML
import Foundation
import MLCCore
import Testing
import Vision

// As people write it for Apple's systems.

/// Requests and what they find as values.
@Suite struct ValueRequestTests {
  private let red = Array(repeating: [255, 0, 0] as [UInt8], count: 64).flatMap { $0 }

  private func classifier() throws -> CoreMLModelContainer {
    try CoreMLModelContainer(model: MLModel(contentsOf: Models.classifier.get()))
  }

  @Test func classifyPictures() async throws {
    let container = try classifier()
    let request = CoreMLRequest(model: container)
    #expect(request.cropAndScaleAction == .scaleToFill && request.supportedIdentifiers == ["red", "green", "blue"])
    let found = try await request.perform(on: Pictures.image(8, 8, red))
    let classes = found.compactMap { $0 as? ClassificationObservation }
    #expect(classes.map { $0.identifier } == ["red", "blue", "green"] && classes[0].confidence == 1)
    #expect(classes[0].originatingRequestDescriptor == .coreMLRequest(.revision1))
    let copy = try JSONDecoder().decode(ClassificationObservation.self, from: JSONEncoder().encode(classes[0]))
    #expect(copy == classes[0])
    var other = request
    #expect(other == request && Set([other, request]).count == 1)
    other.cropAndScaleAction = .centerCrop
    #expect(other != request)
  }

  @Test func handlersPerformSeveral() async throws {
    let handler = ImageRequestHandler(try Pictures.image(8, 8, red))
    let request = CoreMLRequest(model: try classifier())
    var green = request
    green.regionOfInterest = NormalizedRect(x: 2, y: 0, width: 1, height: 1)
    let (first, second) = try await handler.perform(request, request)
    #expect(first.count == 3 && second.count == 3)
    await #expect(throws: VNError.self) { try await handler.perform(request, green) }
    var outcomes: [Int] = []
    for await result in handler.performAll([request, green]) {
      switch result {
      case .coreML(let performed, let found):
        #expect(performed == request)
        outcomes.append(found.count)
      case .failure(let descriptor, let error):
        #expect(descriptor == .coreMLRequest(.revision1) && (error as? VNError)?.code == .invalidArgument)
        outcomes.append(-1)
      }
    }
    #expect(outcomes == [3, -1])
  }

  @Test func findObjectsAndPictures() async throws {
    let brightness = try MLDictionaryFeatureProvider(dictionary: ["brightness": MLMultiArray([1.0 as Float])])
    let detector = try MLModel(contentsOf: Models.detector.get())
    let request = CoreMLRequest(model: try CoreMLModelContainer(model: detector, featureProvider: brightness))
    let image = try Pictures.image(8, 8, red)
    let objects = try await request.perform(on: image).compactMap { $0 as? RecognizedObjectObservation }
    #expect(objects.count == 2 && objects[1].labels.map { $0.identifier } == ["cat", "dog"])
    #expect(objects[1].boundingBox == NormalizedRect(x: 0, y: 0.75, width: 0.5, height: 0.25))
    let negative = try MLModel(contentsOf: Models.negative(.rgb))
    let painter = CoreMLRequest(model: try CoreMLModelContainer(model: negative))
    let colours = Pictures.colours(6, 4)
    let found = try await painter.perform(on: Pictures.image(6, 4, colours))
    let picture = try #require(found.first as? PixelBufferObservation)
    #expect(found.count == 2 && picture.featureName == "negative" && picture.size == CGSize(width: 6, height: 4))
    #expect(picture.pixelFormat == kCVPixelFormatType_32BGRA)
    let wanted = colours.map { UInt8(min(255, (1.5 * (255 - Double($0))).rounded(.toNearestOrEven))) }
    #expect(try picture.cgImage.dataProvider?.data == Data(wanted))
    // The pixel above on the left, whose first channel is blue.
    #expect(picture.pixel(at: NormalizedPoint(x: 0, y: 1)) == Float(wanted[2]) / 255)
    #expect(picture.withUnsafePointer { $0.load(as: UInt8.self) } == wanted[2])
  }

  @Test func givesValuesOfFeatures() async throws {
    let model = try CoreMLModelContainer(model: MLModel(contentsOf: Models.negative(.rgb)))
    let colours = Pictures.colours(6, 4)
    let found = try await CoreMLRequest(model: model).perform(on: Pictures.image(6, 4, colours))
    let numbers = try #require(found.last as? CoreMLFeatureValueObservation)
    #expect(numbers.featureName == "numbers" && numbers.confidence == 1)
    #expect(numbers.originatingRequestDescriptor == .coreMLRequest(.revision1))
    let array = try #require(MLFeatureValue(numbers.featureValue).multiArrayValue)
    #expect((0..<24).allSatisfy { array[$0].intValue == Int(colours[$0 * 3]) })
    let coded = try JSONEncoder().encode(numbers)
    let copy = try JSONDecoder().decode(CoreMLFeatureValueObservation.self, from: coded)
    #expect(copy == numbers && Set([copy, numbers]).count == 1)
    var object = try #require(try JSONSerialization.jsonObject(with: coded) as? [String: Any])
    object["featureValue"] = Data("no archive".utf8).base64EncodedString()
    let damaged = try JSONSerialization.data(withJSONObject: object)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CoreMLFeatureValueObservation.self, from: damaged)
    }
  }

  /// People choose the device that a request runs on, among those that there are.
  @Test func devicesAreChosen() async throws {
    var request = CoreMLRequest(model: try classifier())
    let devices = request.supportedComputeStageDevices[.main] ?? []
    #expect(devices == MLComputeDevice.allComputeDevices && request.computeDevice(for: .main) == nil)
    let processor = devices.first { if case .cpu = $0 { true } else { false } }
    let other = request
    request.setComputeDevice(processor, for: .main)
    #expect(request.computeDevice(for: .main) == processor && request.computeDevice(for: .postProcessing) == nil)
    #expect(request != other)
    #expect(try await request.perform(on: Pictures.image(8, 8, red)).count == 3)
    request.setComputeDevice(nil, for: .main)
    #expect(request == other)
  }

  @Test func rectanglesAreMeasured() {
    let size = CGSize(width: 100, height: 80)
    let rect = NormalizedRect(imageRect: CGRect(x: 10, y: 20, width: 30, height: 40), in: size)
    #expect(rect == NormalizedRect(x: 0.1, y: 0.25, width: 0.3, height: 0.5))
    #expect(rect.verticallyFlipped().origin == CGPoint(x: 0.1, y: 0.25))
    #expect(rect.toImageCoordinates(size) == CGRect(x: 10, y: 20, width: 30, height: 40))
    let half = NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5)
    let whole = NormalizedRect.fullImage.toImageCoordinates(from: half, imageSize: size, origin: .upperLeft)
    #expect(whole == CGRect(x: 0, y: 0, width: 50, height: 40))
    #expect(NormalizedRect(imageRect: whole, in: size, normalizedTo: half).width == 1)
    let box = VNImageRectForNormalizedRect(rect.cgRect, 100, 80)
    #expect(VNNormalizedRectForImageRect(box, 100, 80) == rect.cgRect && !VNNormalizedRectIsIdentityRect(rect.cgRect))
  }

  @Test func modelsWithoutPicturesAreRefused() throws {
    #expect(throws: VNError.self) { try CoreMLModelContainer(model: MLModel(contentsOf: Models.numbers.get())) }
  }
}
