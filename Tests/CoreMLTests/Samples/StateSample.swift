import CoreML
import Foundation
import Testing

// A chat whose model remembers what was said: each conversation has a state of its own.

private actor Conversation {
  private let model: MLModel
  private let state: MLState
  private(set) var turns = 0

  init(model: MLModel) { (self.model, state) = (model, model.makeState()) }

  /// Says something, four numbers, and answers what the model makes of all that was said.
  func say(_ words: [Float]) async throws -> [Float] {
    let input = try MLDictionaryFeatureProvider(dictionary: ["x": MLMultiArray(words)])
    let output = try await model.prediction(from: input, using: state, options: MLPredictionOptions())
    turns += 1
    return output.featureValue(for: "y")?.shapedArrayValue(of: Float.self)?.scalars ?? []
  }

  /// What is remembered.
  var memory: [Float] {
    state.withMultiArray(for: "acc") { array in
      array.withUnsafeBufferPointer(ofType: Float.self) { Array($0) }
    }
  }

  /// Forgets everything.
  func forget() {
    state.withMultiArray(for: "acc") { array in
      array.withUnsafeMutableBufferPointer(ofType: Float.self) { elements, _ in elements.update(repeating: 0) }
    }
  }
}

@Suite struct StateSample {
  @Test func conversationsRememberWhatWasSaidInThem() async throws {
    let model = try await MLModel.load(contentsOf: Models.accumulator.get())
    let (one, other) = (Conversation(model: model), Conversation(model: model))
    #expect(try await one.say([1, 2, 3, 4]) == [2, 4, 6, 8])
    #expect(try await one.say([1, 0, 0, 0]) == [4, 4, 6, 8])
    #expect(try await other.say([0, 0, 0, 1]) == [0, 0, 0, 2])
    let (memory, turns) = await (one.memory, one.turns)
    #expect(memory == [2, 2, 3, 4] && turns == 2)
    await one.forget()
    #expect(try await one.say([0, 0, 1, 0]) == [0, 0, 2, 0])
    let constraint = model.modelDescription.stateDescriptionsByName["acc"]?.stateConstraint
    #expect(constraint?.bufferShape == [4] && constraint?.dataType == .float32)
  }
}
