import CoreML
import Foundation
import Testing

// Work on a model's inputs and outputs by tensors, as articles about them write it.

@Suite struct TensorSample {
  /// Literals need no type: whole numbers are `Int32`, others `Float`.
  @Test func literalsHaveTypes() async {
    let indices = MLTensor([1, 2])
    let scores = MLTensor([1.0, 2.0, 3.5])
    let mixed = MLTensor([1, 2.5])
    #expect(indices.scalarType is Int32.Type && scores.scalarType is Float.Type && mixed.scalarType is Float.Type)
    #expect(await indices.shapedArray(of: Int32.self).scalars == [1, 2])
    #expect(await MLTensor([1, 2, 3]).cumulativeSum().shapedArray(of: Int32.self).scalars == [1, 3, 6])
    #expect(await mixed.shapedArray(of: Float.self).scalars == [1, 2.5])
    #expect(MLTensor([true, false]).scalarType is Bool.Type && MLTensor([1, 2], scalarType: UInt8.self).shape == [2])
    let floats: [Float] = [3, 4]
    #expect(MLTensor(floats).scalarType is Float.Type && MLTensor(floats.map { $0 * 2 }).scalarType is Float.Type)
    let rows = MLTensor([[1.0, 2.0], [3.0, 4.0]])
    #expect(rows.shape == [2, 2] && rows.scalarType is Float.Type)
    #expect(MLTensor([scores, scores]).shape == [2, 3])
  }

  /// The best classes of a batch of answers, and how sure the model is of them.
  @Test func answersAreDecoded() async {
    let logits = MLTensor(shape: [2, 3], scalars: [1, 3, 2, 0, 0, 5])
    let (values, classes) = logits.softmax(alongAxis: -1).topK(1)
    #expect(await classes.squeezingShape().shapedArray(of: Int32.self).scalars == [1, 2])
    #expect(await values.shapedArray(of: Float.self).scalars.allSatisfy { $0 > 0.6 })
    let penalised = logits * MLTensor([1.0, -1.0, 1.0]) + 1
    #expect(await penalised.argmax(alongAxis: 1).shapedArray(of: Int32.self).scalars == [2, 2])
  }
}
