import CoreML
import Foundation

/// Computes what `tensor.py` asks for on standard input, a name on a line, and prints what it took, in seconds: from
/// the first operation to the elements.
struct TensorBenchmark {
  private let big: MLTensor
  private let rows: MLTensor
  private let left: MLTensor
  private let right: MLTensor

  init() async {
    func there(_ tensor: MLTensor) async -> MLTensor { MLTensor(await tensor.shapedArray(of: Float.self)) }
    big = await there(MLTensor(randomUniform: [10_000_000], in: Float(0.1)..<1, seed: 1))
    rows = await there(MLTensor(randomNormal: [4096, 1000], seed: 2, scalarType: Float.self))
    left = await there(MLTensor(randomNormal: [512, 512], seed: 3, scalarType: Float.self))
    right = await there(MLTensor(randomNormal: [512, 512], seed: 4, scalarType: Float.self))
  }

  func run() async {
    while let name = readLine() {
      let start = ContinuousClock.now
      guard let result = result(name) else {
        print("unknown")
        continue
      }
      let array = await result.shapedArray(of: Float.self)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      withExtendedLifetime(array) { print(seconds) }
      fflush(nil)
    }
  }

  private func result(_ name: String) -> MLTensor? {
    switch name {
    case "product": left.matmul(right)
    case "softmax": rows.softmax()
    case "sum": big.sum()
    case "sum of rows": rows.sum(alongAxes: 1)
    case "sum of columns": rows.sum(alongAxes: 0)
    case "largest": big.max()
    case "add": big + big
    case "exp": big.exp()
    case "tanh": big.tanh()
    case "transpose": rows.transposed()
    case "twenty": twenty(big)
    default: nil
    }
  }

  /// Twenty element-wise operations.
  private func twenty(_ x: MLTensor) -> MLTensor {
    let a = (x * 2 + 1) * x - 3
    let b = (a * a + x) * 0.5 + a
    let c = pointwiseMax(b - a, x) * 0.25 + 1
    let d = (c * c - b).abs() + x * 3
    return (d / c + a).squareRoot().clamped(to: ...100) - b
  }
}
