import CoreML
import Foundation
import Testing

/// Work on tensors that is large enough to be divided, by many at once.
@Suite struct SharedLoopTests {
  @Test func manyDivideTheirWorkAtOnce() async {
    let x = MLTensor(randomNormal: [300, 400], seed: 5, scalarType: Float.self)
    let expected = await Self.work(x, 0).shapedArray(of: Float.self).scalars
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 {
        group.addTask { await Self.work(x, 0).shapedArray(of: Float.self).scalars == expected }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// A product, sums along both axes, and what is done to each element.
  private static func work(_ x: MLTensor, _ shift: Float) -> MLTensor {
    let product = (x * 0.5 + shift).tanh().matmul(x.transposed())
    return product.sum(alongAxes: 0) + product.transposed().max(alongAxes: 1)
  }
}
