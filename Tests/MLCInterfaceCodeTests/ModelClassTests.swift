import CoreML
import Foundation
import MLCCore
import MLCInterfaceCode
import MLCPackage
import Testing

@Suite struct ModelClassTests {
  private static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  /// MLC_RECORD=1 writes what is generated now, to be read and committed.
  @Test func codeIsAsTheGoldenFilesSay() throws {
    for sample in SampleInterfaces.all {
      let code = try sample.model().code()
      let file = Self.golden.appending(path: "\(sample.file).swift")
      if ProcessInfo.processInfo.environment["MLC_RECORD"] != nil {
        try code.write(to: file, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == code, "\(sample.file)")
      #expect(!code.contains("!"), "\(sample.file) unwraps")
    }
  }

  /// What the golden file compiles to.
  @Test func inputsGiveTheirFeatures() throws {
    let input = DetectorInput(image: MLShapedArray<Float>(repeating: 2, shape: [1, 3, 64, 32]))
    #expect(input.featureNames == ["image"])
    #expect(input.featureValue(for: "image")?.multiArrayValue === input.image)
    #expect(input.featureValue(for: "other") == nil)
  }

  /// Optional ones may be left out, and have no value then.
  @Test func optionalInputsMayBeLeftOut() throws {
    let x = MLShapedArray<Float>(repeating: 2, shape: [2])
    let input = OptionalsInput(x: x)
    #expect(input.featureNames.count == 6)
    #expect(input.featureNames.filter { input.featureValue(for: $0) != nil } == ["x"])
    let full = OptionalsInput(x: x, bias: MLShapedArray<Float16>(repeating: 1, shape: [2]), counts: ["a": 2], age: 3)
    #expect(full.featureValue(for: "bias")?.multiArrayValue === full.bias && full.bias != nil)
    #expect(full.featureValue(for: "counts")?.dictionaryValue["a"] == 2)
    #expect(full.featureValue(for: "age")?.doubleValue == 3)
    #expect(OptionalsInput(x: MLMultiArray(x), ids: [4], title: "t").featureValue(for: "title")?.stringValue == "t")
    #expect(AllOptionalInput().featureNames.allSatisfy { AllOptionalInput().featureValue(for: $0) == nil })
    #expect(AllOptionalInput(x: x).x != nil)
  }

  /// Pictures are drawn in the sizes and formats that the model wants.
  @Test func imagesArePixelBuffers() throws {
    let provider = try #require(CGDataProvider(data: Data(repeating: 200, count: 12)))
    let picture = try #require(
      CGImage(
        width: 2,
        height: 2,
        bitsPerComponent: 8,
        bitsPerPixel: 24,
        bytesPerRow: 6,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue),
        provider: provider,
        decode: nil,
        shouldInterpolate: true,
        intent: .defaultIntent
      )
    )
    let style = try #require(
      MLFeatureValue(cgImage: picture, pixelsWide: 8, pixelsHigh: 8, pixelFormatType: 24)
        .imageBufferValue
    )
    let input = try PainterInput(photoWith: picture, maskWith: picture, style: style, strength: 1)
    #expect(CVPixelBufferGetWidth(input.photo) == 48 && CVPixelBufferGetHeight(input.photo) == 32)
    #expect(CVPixelBufferGetPixelFormatType(input.mask) == kCVPixelFormatType_OneComponent8)
    #expect(input.featureValue(for: "style")?.imageBufferValue == style)
    input.photo = style
    try input.setPhoto(with: picture)
    #expect(CVPixelBufferGetWidth(input.photo) == 48 && input.photo != style)
    #expect(throws: MLModelError.self) { try input.setMask(with: URL(filePath: "/nowhere.png")) }
    let pair = try MatcherInput(imageWith: picture, ImageWith: picture)
    let first = pair.image
    try pair.setImage_2(with: picture)
    #expect(pair.image == first && pair.in == nil)
    try pair.setIn(with: picture)
    #expect(CVPixelBufferGetWidth(try #require(pair.in)) == 8)
    let outputs = try MLDictionaryFeatureProvider(dictionary: ["painting": style])
    #expect(PainterOutput(features: outputs).painting == style)
    let numbers = try MLDictionaryFeatureProvider(dictionary: ["painting": 1])
    #expect(throws: MLModelError.self) { try PainterOutput(checking: numbers) }
  }

  @Test func outputsCheckTheirFeatures() throws {
    let array = try MLMultiArray(shape: [1, 2], dataType: .float16)
    let output = try DetectorOutput(features: MLDictionaryFeatureProvider(dictionary: ["probabilities": array]))
    #expect(output.probabilities === array && output.probabilitiesShapedArray.shape == [1, 2])
    #expect {
      try DetectorOutput(checking: MLDictionaryFeatureProvider(dictionary: ["probability": array]))
    } throws: {
      ($0 as? MLModelError)?.code == .featureType && $0.localizedDescription.contains("no such value 'probabilities'")
    }
  }

  @Test func statesAreNamed() {
    #expect(CounterState.Name.allCases.map { $0.rawValue } == ["total"])
  }

  @Test func handlersAreToldOfTheModel() async {
    let nowhere = URL(filePath: "/nowhere.mlmodelc")
    let result = await withCheckedContinuation { done in
      Detector.load(contentsOf: nowhere) { done.resume(returning: $0) }
    }
    #expect(throws: MLModelError.self) { try result.get() }
  }

  @Test func theModelIsLookedForBesideTheExecutable() {
    #expect(Detector.urlOfModelInThisBundle.path.hasSuffix("/App_App.resources/Detector.mlmodelc"))
    #expect(throws: MLModelError.self) { try Detector() }
  }

  /// A class called `String` would hide Swift's from its own code.
  @Test func namesThatTheCodeNeedsAreRefused() throws {
    #expect(ModelClass.name(ofFile: "Sources/String.onnx") == "String_")
    #expect(throws: Diagnostic.self) { try ModelClass.check(name: "MLModel") }
    try ModelClass.check(name: "Strings")
  }

  @Test func namesThatAreNoSwiftAreRefused() throws {
    let function = FunctionInterface("main", inputs: [], outputs: [])
    #expect { try ModelClass(name: "a-b", function: function, source: "m", location: .init(folder: "m")) } throws: {
      ($0 as? Diagnostic)?.id == "generate.class-name" && "\($0)".contains("'a_b'")
    }
  }

  @Test func dictionariesAndNumbersAreSwift() throws {
    let input = TaggerInput(counts: ["a": 1, "b": 2.5], age: 7, ids: [3, -1])
    #expect(input.featureValue(for: "counts")?.dictionaryValue == ["a": 1, "b": 2.5])
    #expect(input.featureValue(for: "age")?.doubleValue == 7)
    #expect(input.featureValue(for: "ids")?.sequenceValue?.int64Values == [3, -1])
    let given: [AnyHashable: NSNumber] = [NSNumber(value: 1): 0.25, NSNumber(value: 2): 0.75]
    let values: [String: Any] = ["label": 2, "scores": given, "by word": ["x": 1] as [AnyHashable: NSNumber]]
    let output = try TaggerOutput(features: MLDictionaryFeatureProvider(dictionary: values))
    #expect(output.label == 2 && output.scores == [1: 0.25, 2: 0.75] && output.by_word == ["x": 1])
    #expect(throws: MLModelError.self) {
      try TaggerOutput(checking: MLDictionaryFeatureProvider(dictionary: values.merging(["scores": 1]) { $1 }))
    }
  }

  @Test func textsAreStrings() throws {
    let input = LabelerInput(title: "a", words: ["b", "c"])
    #expect(input.featureValue(for: "title")?.stringValue == "a")
    #expect(input.featureValue(for: "words")?.sequenceValue?.stringValues == ["b", "c"])
    let array = try MLMultiArray(shape: [2], dataType: .float32)
    let values: [String: Any] = [
      "label": "x", "pieces": MLFeatureValue(sequence: MLSequence(strings: ["p", "q"])), "scores": array,
    ]
    let output = try LabelerOutput(features: MLDictionaryFeatureProvider(dictionary: values))
    #expect(output.label == "x" && output.pieces == ["p", "q"] && output.scores === array)
    let numbers = values.merging(["label": 1]) { $1 }
    #expect(throws: MLModelError.self) {
      try LabelerOutput(checking: MLDictionaryFeatureProvider(dictionary: numbers))
    }
  }
}
