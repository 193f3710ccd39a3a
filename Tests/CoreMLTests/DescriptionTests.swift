import CoreML
import Foundation
import Testing

/// What models and their features look like when they are printed.
@Suite struct DescriptionTests {
  @Test func modelsListTheirFeatures() throws {
    #expect(
      try MLModel(contentsOf: Models.affine.get()).modelDescription.description == """
        inputs:
          ids : MultiArray (int32, 2)
          x : MultiArray (float32, 1...64 × 3)
        outputs:
          doubled : MultiArray (int32, 2)
          y : MultiArray (float32, 1...64 × 3)
        """
    )
    let shapes = try MLModel(contentsOf: Models.enumerated.get()).modelDescription
    #expect(shapes.inputDescriptionsByName["x"]?.description == "x : MultiArray (float32, 1 × 4 × 6 or 1 × 6 × 4)")
    #expect(
      try MLModel(contentsOf: Models.classifier.get()).modelDescription.description.hasSuffix(
        "  label : string\n  probability : Dictionary (string → double)\npredicts: label"
      )
    )
  }

  @Test func statesTextsAndListsSayWhatTheyAre() throws {
    let state = try MLModel(contentsOf: Models.accumulator.get()).modelDescription.stateDescriptionsByName["acc"]
    #expect(state?.description == "acc : State (float32, 4)")
    let texts = try MLModel(contentsOf: Models.texts.get()).modelDescription.inputDescriptionsByName
    #expect(texts["words"]?.description.hasPrefix("words : Sequence (string, 0...") == true)
    #expect(texts["title"]?.description == "title : string")
    #expect(MLSequence(int64s: [1, -2]).description == "[1, -2]")
    #expect(MLFeatureValue(sequence: MLSequence(strings: ["a"])).description == "Sequence : [\"a\"]")
  }
}
