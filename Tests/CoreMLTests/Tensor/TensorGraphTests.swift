import CoreML
import Foundation
import Testing

/// When tensors are computed, how often, and what becomes of their memory.
@Suite struct TensorGraphTests {
  /// Numbers that the test changes under a tensor, and whether the tensor has let go of them.
  private final class Numbers: @unchecked Sendable {  // one test, which waits
    let values = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4)
    private(set) var isReleased = false

    func tensor() -> MLTensor {
      values.update(repeating: 1)
      let deallocator = Data.Deallocator.custom { _, _ in self.isReleased = true }
      let bytes = UnsafeRawBufferPointer(values)
      return MLTensor(bytesNoCopy: bytes, shape: [4], scalarType: Float.self, deallocator: deallocator)
    }

    deinit { values.deallocate() }
  }

  private func first(_ tensor: MLTensor) async -> Float { await tensor.shapedArray(of: Float.self).scalars[0] }

  private func expect(
    _ tensor: MLTensor,
    _ value: Float,
    _ comment: Comment = "",
    at place: SourceLocation = #_sourceLocation
  ) async {
    let first = await self.first(tensor)
    #expect(first == value, comment, sourceLocation: place)
  }

  private func scalars(_ tensor: MLTensor) async -> [Float] { await tensor.shapedArray(of: Float.self).scalars }

  @Test func computesWhenAsked() async {
    let numbers = Numbers()
    let sum = numbers.tensor() + 1
    numbers.values.update(repeating: 10)
    await expect(sum, 11)
    numbers.values.update(repeating: 20)
    await expect(sum, 11, "a tensor that is there is not computed again")
  }

  /// What someone holds is kept when something made of it is computed.
  @Test func computesSharedPartsOnce() async {
    let numbers = Numbers()
    let shared = numbers.tensor() + 1
    let (product, other) = (shared * 2, shared.sum())
    numbers.values.update(repeating: 10)
    await expect(product, 22)
    numbers.values.update(repeating: 20)
    await expect(other, 44)
    await expect(shared, 11)
    await expect(shared - 1, 10)
    let random = MLTensor(randomUniform: [100], scalarType: Float.self)
    let (a, b) = ((random + 0).sum(), random.sum())
    await expect(a, await first(b))
  }

  @Test func letsGoOfWhatItIsMadeOf() async {
    let numbers = Numbers()
    let sum = numbers.tensor() + 1
    #expect(!numbers.isReleased)
    _ = await first(sum)
    #expect(numbers.isReleased, "a tensor that is there does not keep its operands")
    let others = Numbers()
    do {
      var chain = others.tensor()
      for _ in 0..<100_000 { chain += 1 }
      #expect(!others.isReleased)
    }
    #expect(others.isReleased, "a chain that nobody computes is released, however long")
  }

  @Test func chainsAreAsLongAsTheyLike() async {
    var sums = MLTensor([Float](repeating: 0, count: 3))
    for _ in 0..<100_000 { sums += 1 }
    await expect(sums, 100_000)
    var turns = MLTensor(shape: [2, 3], scalars: [1, 2, 3, 4, 5, 6] as [Float])
    for _ in 0..<20_000 { turns = turns.transposed() }
    let same = await scalars(turns)
    #expect(same == [1, 2, 3, 4, 5, 6])
    // Doubled again and again: 2^60 paths lead to the one number.
    var doubled = MLTensor([1] as [Float])
    for step in 0..<60 { doubled = step % 3 == 0 ? (doubled + doubled).reshaped(to: [1]) : doubled + doubled }
    await expect(doubled, Float(1 << 60))
  }

  @Test func manyTasksAskForOne() async {
    let x = MLTensor(randomNormal: [200, 50], seed: 3, scalarType: Float.self)
    let shared = (x * 2 + 1).tanh()
    let rows = shared.sum(alongAxes: 1)
    let expected = await ((x * 2 + 1).tanh()).sum(alongAxes: 1).shapedArray(of: Float.self)
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<200 {
        group.addTask {
          let own = index % 2 == 0 ? rows : shared.sum(alongAxes: 1) + Float(index)
          let values = await own.shapedArray(of: Float.self).scalars
          return zip(values, expected.scalars).allSatisfy { index % 2 == 0 ? $0 == $1 : $0 == $1 + Float(index) }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func sharesMemoryWithArraysUntilTheyAreWritten() async {
    var array = MLShapedArray<Float>(scalars: [1, 2, 3, 4], shape: [2, 2])
    let tensor = MLTensor(array)
    array[scalarAt: 0, 0] = 100
    let before = await scalars(tensor)
    #expect(before == [1, 2, 3, 4])
    var result = await tensor.shapedArray(of: Float.self)
    result[scalarAt: 0, 0] = 50
    let after = await scalars(tensor)
    #expect(after == [1, 2, 3, 4] && result.scalars == [50, 2, 3, 4])
    let (row, columns) = (await scalars(MLTensor(array[1])), await scalars(MLTensor(array.transposed())))
    #expect(row == [3, 4] && columns == [100, 3, 2, 4])
  }
}
