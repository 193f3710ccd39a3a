import CoreML
import Foundation
import MLCCore
import Testing
import Vision

// As people write it for Apple's systems.

@Suite struct VisionRequestTests {
  /// What `body` throws.
  private func code(_ body: () throws -> Any) -> VNErrorCode? {
    do { _ = try body() } catch { return (error as? VNError)?.code }
    return nil
  }

  /// A picture of `width × height` pixels, all red on the left half and all blue on the right.
  private func halves(_ width: Int, _ height: Int) throws -> CGImage {
    let pixels = (0..<width * height).flatMap { $0 % width < width / 2 ? [255, 0, 0] : [0, 0, 255] as [UInt8] }
    return try Pictures.image(width, height, pixels)
  }

  @Test func classifiesPictures() throws {
    let model = try VNCoreMLModel(for: MLModel(contentsOf: Models.classifier.get()))
    #expect(model.inputImageFeatureName == "image")
    var seen: [String] = []
    var problems = 0
    let request = VNCoreMLRequest(model: model) { request, error in
      problems += error == nil ? 0 : 1
      seen = (request.results as? [VNClassificationObservation] ?? []).map { $0.identifier }
    }
    request.imageCropAndScaleOption = .scaleFill
    let handler = VNImageRequestHandler(cgImage: try halves(32, 16), options: [:])
    try handler.perform([request])
    let results = try #require(request.results as? [VNClassificationObservation])
    #expect(results.map { $0.identifier } == ["blue", "red", "green"] && seen == ["blue", "red", "green"])
    #expect(results.map { $0.confidence } == [0.5, 0.5, 0])
    request.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 1)
    try handler.perform([request])
    #expect((request.results?.first as? VNClassificationObservation)?.identifier == "red")
    // Pixels beside the region are neighbours of those in it.
    #expect((request.results?.first?.confidence ?? 0) > 0.95 && problems == 0)
    request.regionOfInterest = CGRect(x: 0.5, y: 0, width: 0.6, height: 1)
    #expect(code { try handler.perform([request]) } == .invalidArgument)
    #expect(request.results == nil && problems == 1)
  }

  /// Of a picture of 24 × 8 with a middle of its own, turned in all ways.
  @Test func cropsAndTurns() throws {
    let pixels = (0..<24 * 8).flatMap { (8..<16).contains($0 % 24) ? [0, 255, 0] : [255, 0, 0] as [UInt8] }
    let image = try Pictures.image(24, 8, pixels)
    let request = VNCoreMLRequest(model: try VNCoreMLModel(for: MLModel(contentsOf: Models.classifier.get())))
    #expect(request.imageCropAndScaleOption == .centerCrop)
    for orientation in CGImagePropertyOrientation.allCases {
      let handler = VNImageRequestHandler(cgImage: image, orientation: orientation)
      try handler.perform([request])
      let best = try #require(request.results?.first as? VNClassificationObservation)
      #expect(best.identifier == "green" && best.confidence > 0.9)
    }
    request.imageCropAndScaleOption = .scaleFit
    try VNSequenceRequestHandler().perform([request], on: image)
    let scores = try #require(request.results as? [VNClassificationObservation])
    // Three of eight rows are drawn; a third of them is the middle.
    #expect(scores[0].identifier == "red" && abs(scores[0].confidence - 0.25) < 0.01)
    #expect(scores[1].identifier == "green" && abs(scores[1].confidence - 0.125) < 0.01)
  }

  @Test func findsObjects() throws {
    let model = try VNCoreMLModel(for: MLModel(contentsOf: Models.detector.get()))
    let brightness = try MLMultiArray([1.0 as Float])
    model.featureProvider = try MLDictionaryFeatureProvider(dictionary: ["brightness": brightness])
    let request = VNCoreMLRequest(model: model)
    request.imageCropAndScaleOption = .scaleFill
    let handler = VNImageRequestHandler(cgImage: try halves(32, 16))
    try handler.perform([request])
    let objects = try #require(request.results as? [VNRecognizedObjectObservation])
    #expect(objects.count == 2)
    #expect(objects[0].labels.map { $0.identifier } == ["dog", "cat"] && objects[0].confidence == 0.5)
    #expect(objects[0].boundingBox == CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(objects[1].labels[0].identifier == "cat" && objects[1].confidence == 0.75)
    // The upper quarter on the left; rows count upwards.
    #expect(objects[1].boundingBox == CGRect(x: 0, y: 0.75, width: 0.5, height: 0.25))
    // The middle of 32 × 16 is its columns 8 to 24.
    request.imageCropAndScaleOption = .centerCrop
    try handler.perform([request])
    let cropped = try #require(request.results as? [VNRecognizedObjectObservation])
    #expect(cropped[0].boundingBox == CGRect(x: 0.25, y: 0, width: 0.5, height: 1))
    #expect(cropped[1].boundingBox == CGRect(x: 0.25, y: 0.75, width: 0.25, height: 0.25))
    // Turned counterclockwise the upper quarter on the left is the right quarter above.
    request.imageCropAndScaleOption = .scaleFillRotate90CCW
    try handler.perform([request])
    let turned = try #require(request.results as? [VNRecognizedObjectObservation])
    #expect(turned[1].boundingBox == CGRect(x: 0.75, y: 0.5, width: 0.25, height: 0.5))
  }

  @Test func givesPicturesAndArrays() throws {
    let model = try VNCoreMLModel(for: MLModel(contentsOf: Models.negative(.rgb)))
    let request = VNCoreMLRequest(model: model)
    let buffer = try CVBuffer.of(6, 4, kCVPixelFormatType_24RGB, Pictures.colours(6, 4))
    try VNImageRequestHandler(cvPixelBuffer: buffer, options: [:]).perform([request])
    let results = try #require(request.results)
    #expect(results.count == 2)
    let picture = try #require(results[0] as? VNPixelBufferObservation)
    #expect(picture.featureName == "negative" && CVPixelBufferGetWidth(picture.pixelBuffer) == 6)
    let array = try #require(results[1] as? VNCoreMLFeatureValueObservation)
    #expect(array.featureName == "numbers")
    let numbers = try #require(array.featureValue.multiArrayValue)
    #expect((0..<24).allSatisfy { numbers[$0].intValue == Int(Pictures.colours(6, 4)[$0 * 3]) })
  }

  /// Of those that there are; another is kept, and the processor runs.
  @Test func devicesAreChosen() throws {
    let request = VNCoreMLRequest(model: try VNCoreMLModel(for: MLModel(contentsOf: Models.classifier.get())))
    let devices = try request.supportedComputeStageDevices
    #expect(devices == [.main: MLComputeDevice.allComputeDevices])
    request.setComputeDevice(devices[.main]?.first, for: .main)
    let gpu = MLComputeDevice.gpu(MLGPUComputeDevice())
    request.setComputeDevice(gpu, for: .postProcessing)
    let copy = try #require(request.copy() as? VNCoreMLRequest)
    #expect(copy.computeDevice(for: .main) == devices[.main]?.first && copy.computeDevice(for: .postProcessing) == gpu)
    try VNImageRequestHandler(cgImage: halves(8, 8)).perform([copy])
    #expect(copy.results?.count == 3)
    copy.setComputeDevice(nil, for: .main)
    #expect(copy.computeDevice(for: .main) == nil && request.computeDevice(for: .main) != nil)
  }

  /// Luma and differences of colour, as cameras give them.
  @Test func takesCameraFrames() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    let frame = try #require(made)
    // Pure red by ITU-R BT.601.
    for (plane, values) in [(0, [76]), (1, [85, 255])] as [(Int, [UInt8])] {
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(frame, plane)).assumingMemoryBound(to: UInt8.self)
      let count = CVPixelBufferGetBytesPerRowOfPlane(frame, plane) * CVPixelBufferGetHeightOfPlane(frame, plane)
      for index in 0..<count { base[index] = values[index % values.count] }
    }
    let request = VNCoreMLRequest(model: try VNCoreMLModel(for: MLModel(contentsOf: Models.classifier.get())))
    try VNImageRequestHandler(cvPixelBuffer: frame, orientation: .right).perform([request])
    let best = try #require(request.results?.first as? VNClassificationObservation)
    #expect(best.identifier == "red" && best.confidence > 0.99 && (request.results?[1].confidence ?? 1) < 0.01)
  }

  @Test func saysWhatIsWrong() throws {
    #expect(code { try VNCoreMLModel(for: MLModel(contentsOf: Models.numbers.get())) } == .invalidModel)
    let model = try VNCoreMLModel(for: MLModel(contentsOf: Models.classifier.get()))
    var problems: [any Error] = []
    let request = VNCoreMLRequest(model: model) { _, error in if let error { problems.append(error) } }
    let absent = VNImageRequestHandler(url: URL(filePath: "/no/such/picture.png"), options: [:])
    #expect(code { try absent.perform([request]) } == .ioError)
    #expect(code { try VNImageRequestHandler(data: Data([1, 2, 3])).perform([request]) } == .ioError)
    let handler = VNImageRequestHandler(cgImage: try halves(8, 8))
    request.cancel()
    #expect(code { try handler.perform([request]) } == .requestCancelled)
    model.inputImageFeatureName = "other"
    #expect(code { try handler.perform([request]) } == .invalidModel)
    #expect(problems.count == 4)
    #expect(code { try handler.perform([VNRequest()]) } == .unsupportedRequest)
  }
}
