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

  @Test func outputsCheckTheirFeatures() throws {
    let array = try MLMultiArray(shape: [1, 2], dataType: .float16)
    let output = try DetectorOutput(features: MLDictionaryFeatureProvider(dictionary: ["probabilities": array]))
    #expect(output.probabilities === array && output.probabilitiesShapedArray.shape == [1, 2])
    #expect {
      try DetectorOutput(features: MLDictionaryFeatureProvider(dictionary: ["probability": array]))
    } throws: {
      ($0 as? MLModelError)?.code == .featureType && $0.localizedDescription.contains("no array 'probabilities'")
    }
  }

  @Test func theModelIsLookedForBesideTheExecutable() {
    #expect(Detector.urlOfModelInThisBundle.path.hasSuffix("/App_App.resources/Detector.mlmodelc"))
    #expect(throws: MLModelError.self) { try Detector() }
  }

  @Test func namesThatAreNoSwiftAreRefused() throws {
    let function = FunctionInterface("main", inputs: [], outputs: [])
    #expect { try ModelClass(name: "a-b", function: function, source: "m", location: .init(folder: "m")) } throws: {
      ($0 as? Diagnostic)?.id == "generate.class-name" && "\($0)".contains("'a_b'")
    }
  }

  @Test func stringsAreRefused() throws {
    let function = FunctionInterface("main", inputs: [.init("text", TensorType(.string, [1]))], outputs: [])
    let model = try ModelClass(name: "A", function: function, source: "m", location: .init(folder: "m"))
    #expect { try model.code() } throws: {
      ($0 as? Diagnostic)?.id == "generate.element-type" && ($0 as? Diagnostic)?.location.node == "text"
    }
  }
}
