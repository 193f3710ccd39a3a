import CMLCTensor

/// Pictures of floats at another size, by means of four.
struct BilinearKernel: TensorKernel {
  let alignCorners: Bool

  /// The two old places around each new one, and the share of the second.
  private func places(_ old: Int, _ new: Int) -> (low: [Int32], high: [Int32], part: [Float]) {
    let spots = (0..<new).map { index -> Double in
      if alignCorners { return new == 1 ? 0 : Double(index) * Double(old - 1) / Double(new - 1) }
      return max((Double(index) + 0.5) * Double(old) / Double(new) - 0.5, 0)
    }
    let low = spots.map { min(Int($0), old - 1) }
    return (
      low.map { Int32($0) }, low.map { Int32(min($0 + 1, old - 1)) }, zip(spots, low).map { Float($0 - Double($1)) }
    )
  }

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let rank = output.shape.count
    let (height, width) = (inputs[0].shape[rank - 2], inputs[0].shape[rank - 1])
    let (newHeight, newWidth) = (output.shape[rank - 2], output.shape[rank - 1])
    let (y, x) = (places(height, newHeight), places(width, newWidth))
    let size = newHeight * newWidth
    Parallel.run(output.count / size, grain: max((1 << 14) / size, 1)) { part in
      for plane in part {
        let from = inputs[0].element(plane * height * width).assumingMemoryBound(to: Float.self)
        let to = output.element(plane * size).assumingMemoryBound(to: Float.self)
        mlct_bilinear(from, width, to, newHeight, newWidth, y.low, y.high, y.part, x.low, x.high, x.part)
      }
    }
  }
}
