import CoreML
import Foundation
import Testing

/// Predictions from tensors and to them.
@Suite struct TensorPredictionTests {
  @Test func takeAndGiveTensors() async throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let x = MLTensor(shape: [2, 3], scalars: [1, 2, 3, 4, 5, 6] as [Float]) + 1
    let output = try await model.prediction(from: ["x": x, "ids": MLTensor([3, -4] as [Int32])])
    let (y, doubled) = (try #require(output["y"]), try #require(output["doubled"]))
    #expect(output.count == 2 && y.shape == [2, 3] && doubled.scalarType is Int32.Type)
    let (values, ids) = (await y.shapedArray(of: Float.self).scalars, await doubled.shapedArray(of: Int32.self).scalars)
    #expect(values == [5, 7, 9, 11, 13, 15] && ids == [6, -8])
    // One prediction's tensors are the next one's.
    let next = try await model.prediction(from: ["x": y - 1, "ids": doubled])
    let again = await next["y"]?.shapedArray(of: Float.self).scalars
    #expect(again == [9, 13, 17, 21, 25, 29])
  }

  @Test func convertTypes() async throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let x = MLTensor(shape: [1, 3], scalars: [1, 2, 3], scalarType: Float16.self)
    let output = try await model.prediction(from: ["x": x, "ids": MLTensor([1, 200], scalarType: UInt8.self)])
    let (y, ids) = (try #require(output["y"]), try #require(output["doubled"]))
    let (values, numbers) = (await y.shapedArray(of: Float.self).scalars, await ids.shapedArray(of: Int32.self).scalars)
    #expect(values == [3, 5, 7] && numbers == [2, 400])
  }

  @Test func refuseWhatDoesNotFit() async throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let (x, ids) = (MLTensor(zeros: [1, 3], scalarType: Float.self), MLTensor([1, 2] as [Int32]))
    await #expect(throws: MLModelError.self) { try await model.prediction(from: ["x": x]) }
    await #expect(throws: MLModelError.self) { try await model.prediction(from: ["x": x.transposed(), "ids": ids]) }
    await #expect(throws: MLModelError.self) { try await model.prediction(from: ["x": x, "ids": x]) }
  }

  @Test func keepStates() async throws {
    let model = try MLModel(contentsOf: Models.accumulator.get())
    let (state, x) = (model.makeState(), MLTensor([1, 0, 0, 0] as [Float]))
    for step in 1...5 {
      let y = try await model.prediction(from: ["x": x], using: state)["y"]
      let first = await y?.shapedArray(of: Float.self).scalars.first
      #expect(first == Float(2 * step))
    }
    await #expect(throws: MLModelError.self) { try await model.prediction(from: ["x": x]) }
    let stranger = try MLModel(contentsOf: Models.accumulator.get()).makeState()
    await #expect(throws: MLModelError.self) { try await model.prediction(from: ["x": x], using: stranger) }
  }

  @Test func stopWhenCancelled() async throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let x = MLTensor(zeros: [1, 3], scalarType: Float.self)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await model.prediction(from: ["x": x, "ids": MLTensor([1, 2] as [Int32])])
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }
}
