import CoreML
import Foundation
import Testing

/// Texts as features: one text is a string, several are a sequence.
@Suite struct TextFeatureTests {
  private func features(_ words: Any, title: Any = "a ", number: Int32 = 2) throws -> any MLFeatureProvider {
    try MLDictionaryFeatureProvider(dictionary: ["number": NSNumber(value: number), "words": words, "title": title])
  }

  private func sequence(_ texts: String...) -> MLFeatureValue { MLFeatureValue(sequence: MLSequence(strings: texts)) }

  @Test func predictionsTakeAndGiveThem() throws {
    let model = try MLModel(contentsOf: Models.texts.get())
    for _ in 0..<2 {
      let output = try model.prediction(from: features(sequence("é", "e\u{301}", "")))
      #expect(output.featureValue(for: "label")?.stringValue == "é")
      let known = try #require(output.featureValue(for: "known")?.multiArrayValue)
      #expect((0..<3).map { known[$0].intValue } == [1, 0, 0])
      #expect(
        output.featureValue(for: "pairs")?.sequenceValue?.stringValues == ["é", "é", "e\u{301}", "e\u{301}", "", ""]
      )
      #expect(output.featureValue(for: "same")?.stringValue == "a ")
    }
    let none = try model.prediction(from: features(MLFeatureValue(sequence: MLSequence(empty: .string))))
    #expect(none.featureValue(for: "pairs")?.sequenceValue?.stringValues.isEmpty == true)
    let one = try model.prediction(from: features("dog", number: 1))
    #expect(one.featureValue(for: "pairs")?.sequenceValue?.stringValues == ["dog", "dog"])
  }

  @Test func outputBackingsLeaveThemAlone() throws {
    let model = try MLModel(contentsOf: Models.texts.get())
    let options = MLPredictionOptions()
    options.outputBackings = ["label": try MLMultiArray(shape: [1], dataType: .int32)]
    #expect(throws: MLModelError.self) { try model.prediction(from: features(sequence("a")), options: options) }
  }

  @Test func descriptionsSayWhatTheyAre() throws {
    let description = try MLModel(contentsOf: Models.texts.get()).modelDescription
    let words = try #require(description.inputDescriptionsByName["words"])
    #expect(words.type == .sequence && words.multiArrayConstraint == nil)
    #expect(words.sequenceConstraint?.valueDescription.type == .string)
    #expect(words.isAllowedValue(sequence("a", "b")) && !words.isAllowedValue(MLFeatureValue(string: "a")))
    #expect(description.inputDescriptionsByName["title"]?.type == .string)
    #expect(description.outputDescriptionsByName["label"]?.type == .string)
    #expect(description.outputDescriptionsByName["pairs"]?.type == .sequence)
  }

  @Test func otherFeaturesAreRefused() throws {
    let model = try MLModel(contentsOf: Models.texts.get())
    let array = try MLMultiArray(shape: [1], dataType: .int32)
    let numbers = MLFeatureValue(sequence: MLSequence(int64s: [1]))
    for words: Any in [array, 1, numbers] {
      #expect(throws: MLModelError.self) { try model.prediction(from: features(words)) }
    }
    #expect(throws: MLModelError.self) {
      try model.prediction(from: features(sequence("a"), title: sequence("a", "b")))
    }
    #expect(throws: MLModelError.self) {
      try model.prediction(
        from: MLDictionaryFeatureProvider(dictionary: ["number": "a", "words": sequence("a"), "title": "b"])
      )
    }
  }
}
