import CoreML
import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import MLCTargetC
import Testing

/// Features that are more than arrays: dictionaries, numbers, lists, scores of classes, and what may be left out.
@Suite struct FeatureKindTests {
  /// The sum of a dictionary's values and a number, that of a list, and which of two scores is greater.
  private static let model = Result {
    var builder = Builder()
    let count = [Dim.symbol("count")]
    let keys = builder.input("d.keys", TensorType(.string, count))
    let values = builder.input("d.values", TensorType(.float64, count))
    let number = builder.input("number", TensorType(.float64, [Dim]()))
    let list = builder.input("list", TensorType(.int64, [.symbol("length")]))
    let x = builder.input("x", TensorType(.float32, [1, 2]))
    let total = try builder(Add(), try builder(ReduceSum(axes: [0]), values), number, name: "total")
    let sum = try builder(ReduceSum(axes: [0]), list, name: "sum")
    let scores = try builder(Softmax(axis: 1), x, name: "scores")
    let same = try builder(Identity(), keys, name: "same")
    let twice = try builder(Add(), values, values, name: "twice")
    var function = builder.finish([
      ("total", total), ("sum", sum), ("scores", scores), ("e.keys", same), ("e.values", twice),
    ])
    function.features.inputs = [
      Feature("d", .dictionary(isText: true)), Feature("number", .number, isOptional: true, defaultValue: 10),
      Feature("list", .sequence), Feature("x", isOptional: true, defaultValue: 1, summary: "two numbers"),
    ]
    function.features.outputs = [
      Feature("total", .number), Feature("sum", .number), Feature("e", .dictionary(isText: true)),
    ]
    let classifier = try function.classifying(.integers([5, 9]), scores: "scores", label: "best")
    let url = FileManager.default.temporaryDirectory.appending(path: "features-\(UUID().uuidString).mlmodelc")
    _ = try Compiler(CompileOptions(), targets: [CTarget.self]).compile(Program([classifier]), to: url.path())
    defer { try? FileManager.default.removeItem(at: url) }
    return try MLModel(contentsOf: url)
  }

  private func predict(_ features: [String: Any]) throws -> any MLFeatureProvider {
    try Self.model.get().prediction(from: MLDictionaryFeatureProvider(dictionary: features))
  }

  private let dictionary: [AnyHashable: NSNumber] = ["a": 1.5, "é": 2]
  private let list = MLFeatureValue(sequence: MLSequence(int64s: [3, 4, 5]))

  @Test func predictionsTakeAndGiveThem() throws {
    let x = try MLMultiArray([0.0, 3.0]).reshapedRow()
    let output = try predict(["d": dictionary, "number": 0.5, "list": list, "x": x])
    #expect(output.featureNames == ["total", "sum", "scores", "e", "best"])
    #expect(output.featureValue(for: "total")?.doubleValue == 4)
    #expect(output.featureValue(for: "sum")?.int64Value == 12)
    #expect(output.featureValue(for: "best")?.int64Value == 9)
    #expect(output.featureValue(for: "e")?.dictionaryValue == ["a": 3, "é": 4])
    let scores = try #require(output.featureValue(for: "scores")?.dictionaryValue)
    #expect(scores.count == 2 && (scores[NSNumber(value: 9)]?.doubleValue ?? 0) > 0.9)
  }

  @Test func optionalOnesMayBeLeftOut() throws {
    let output = try predict(["d": dictionary, "list": list])
    #expect(output.featureValue(for: "total")?.doubleValue == 13.5)
    #expect(output.featureValue(for: "scores")?.dictionaryValue.values.allSatisfy { $0.doubleValue == 0.5 } == true)
    #expect(throws: MLModelError.self) { try predict(["list": list]) }
    #expect(throws: MLModelError.self) { try predict(["d": [1: 2] as [AnyHashable: NSNumber], "list": list]) }
    #expect(throws: MLModelError.self) { try predict(["d": dictionary, "list": "a"]) }
  }

  @Test func descriptionsSayWhatTheyAre() throws {
    let description = try Self.model.get().modelDescription
    let inputs = description.inputDescriptionsByName
    #expect(inputs.mapValues(\.type) == ["d": .dictionary, "number": .double, "list": .sequence, "x": .multiArray])
    #expect(inputs["d"]?.dictionaryConstraint?.keyType == .string)
    #expect(inputs["list"]?.sequenceConstraint?.valueDescription.type == .int64)
    #expect(inputs["x"]?.isOptional == true && inputs["d"]?.isOptional == false)
    #expect(inputs["x"]?.description.contains("two numbers") == true)
    #expect(inputs["x"]?.isAllowedValue(MLFeatureValue(undefined: .multiArray)) == true)
    #expect(try inputs["d"]?.isAllowedValue(MLFeatureValue(dictionary: dictionary)) == true)
    #expect(description.predictedFeatureName == "best" && description.predictedProbabilitiesName == "scores")
    #expect(description.classLabels as? [NSNumber] == [5, 9])
    #expect(description.outputDescriptionsByName["scores"]?.dictionaryConstraint?.keyType == .int64)
  }
}

extension MLMultiArray {
  /// The same numbers as one row.
  fileprivate func reshapedRow() throws -> MLMultiArray {
    let row = try MLMultiArray(shape: [1, NSNumber(value: count)], dataType: .float32)
    for index in 0..<count { row[index] = self[index] }
    return row
  }
}
