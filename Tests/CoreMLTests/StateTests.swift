import CoreML
import Foundation
import Testing

@Suite struct StateTests {
  private func provider(_ values: [Float]) throws -> MLDictionaryFeatureProvider {
    try MLDictionaryFeatureProvider(dictionary: ["x": MLMultiArray(values)])
  }

  private func first(_ output: any MLFeatureProvider) -> Float? {
    output.featureValue(for: "y")?.multiArrayValue?[0].floatValue
  }

  @Test func keepsItsMemory() throws {
    let model = try MLModel(contentsOf: Models.accumulator.get())
    #expect(model.modelDescription.inputDescriptionsByName.keys.sorted() == ["x"])
    #expect(model.modelDescription.outputDescriptionsByName.keys.sorted() == ["y"])
    #expect(model.modelDescription.stateDescriptionsByName["acc"]?.stateConstraint?.bufferShape == [4])
    let (one, other) = (model.makeState(), model.makeState())
    for step in 1...5 {
      #expect(try first(model.prediction(from: provider([1, 0, 0, 0]), using: one)) == Float(2 * step))
    }
    #expect(try first(model.prediction(from: provider([1, 0, 0, 0]), using: other)) == 2)
    one.withMultiArray(for: "acc") { array in
      #expect(array[0].floatValue == 5)
      array[0] = 100
    }
    #expect(try first(model.prediction(from: provider([1, 0, 0, 0]), using: one)) == 202)
  }

  @Test func needsAState() throws {
    let model = try MLModel(contentsOf: Models.accumulator.get())
    let (same, stranger) = (try MLModel(contentsOf: Models.accumulator.get()), model.makeState())
    #expect(throws: MLModelError.self) { try model.prediction(from: provider([1, 0, 0, 0])) }
    #expect(throws: MLModelError.self) { try same.prediction(from: provider([1, 0, 0, 0]), using: stranger) }
    // What fails changes nothing.
    #expect(throws: MLModelError.self) { try model.prediction(from: provider([1]), using: stranger) }
    #expect(try first(model.prediction(from: provider([1, 0, 0, 0]), using: stranger)) == 2)
  }

  @Test func outputsHaveBackings() async throws {
    let model = try MLModel(contentsOf: Models.accumulator.get())
    let (state, options) = (model.makeState(), MLPredictionOptions())
    let backing = try MLMultiArray(shape: [4], dataType: .float32)
    options.outputBackings = ["y": backing]
    for step in 1...3 {
      let output =
        step == 2
        ? try await model.prediction(from: provider([1, 0, 0, 2]), using: state, options: options)
        : try { try model.prediction(from: provider([1, 0, 0, 2]), using: state, options: options) }()
      #expect(output.featureNames == ["y"] && output.featureValue(for: "y")?.multiArrayValue === backing)
      #expect((0..<4).map { backing[$0].intValue } == [2 * step, 0, 0, 4 * step])
    }
    // What does not fit changes nothing; nor is a state an output.
    for backings in [["y": try MLMultiArray(shape: [5], dataType: .float32)], ["acc": backing]] {
      options.outputBackings = backings
      #expect(throws: MLModelError.self) {
        try model.prediction(from: provider([1, 0, 0, 2]), using: state, options: options)
      }
    }
    state.withMultiArray(for: "acc") { #expect($0[0].floatValue == 3) }
  }

  @Test func predictionsWithOneStateWaitForEachOther() async throws {
    let model = try MLModel(contentsOf: Models.accumulator.get())
    let state = model.makeState()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          let input = try MLDictionaryFeatureProvider(dictionary: ["x": MLMultiArray([Float](repeating: 1, count: 4))])
          _ = try await model.prediction(from: input, using: state)
        }
      }
      try await group.waitForAll()
    }
    state.withMultiArray(for: "acc") { #expect($0[0].floatValue == 200) }
  }

  /// A model that coremltools wrote, with two states: a cache of rows, and how often it was called.
  @Test func runsCachesOfCoreML() async throws {
    #expect(Sources.commandIsNamed)
    let url = try await MLModel.compileModel(at: Sources.fixtures.appending(path: "cache.mlpackage"))
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let model = try MLModel(contentsOf: url)
    let state = model.makeState()
    var rows: [[Float]] = []
    for step in 0..<8 {
      let row = (0..<4).map { Float(step * 4 + $0) / 16 - 1 }
      rows.append(row)
      let position = try MLMultiArray(shape: [8, 1], dataType: .float16)
      position[step] = 1
      let input = try MLDictionaryFeatureProvider(dictionary: [
        "row": MLMultiArray(MLShapedArray<Float16>(scalars: row.map { Float16($0) }, shape: [1, 4])),
        "position": position,
      ])
      let output = try await model.prediction(from: input, using: state)
      #expect(output.featureValue(for: "n")?.multiArrayValue?[0].intValue == step + 1)
      let y = try #require(output.featureValue(for: "y")?.multiArrayValue)
      for (index, expected) in attention(row, rows).enumerated() {
        #expect(abs(y[index].floatValue - expected) < 0.01)
      }
    }
  }

  /// `softmax(q · rowsᵀ) · rows`, over eight rows of which those not written are zeros.
  private func attention(_ query: [Float], _ rows: [[Float]]) -> [Float] {
    let all = rows + Array(repeating: [0, 0, 0, 0], count: 8 - rows.count)
    let scores = all.map { row in zip(query, row).reduce(Float(0)) { $0 + $1.0 * $1.1 } }
    let weights = scores.map { Foundation.exp($0) }
    let total = weights.reduce(0, +)
    return (0..<4).map { column in zip(weights, all).reduce(Float(0)) { $0 + $1.0 / total * $1.1[column] } }
  }
}
