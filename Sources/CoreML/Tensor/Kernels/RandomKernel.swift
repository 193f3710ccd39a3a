import CMLCTensor

/// Random numbers, each a function of the seed and its place.
struct RandomKernel: TensorKernel {
  enum Draw: Sendable {
    case normal(mean: Double, deviation: Double)
    case uniform(Double, Double)
    case whole(Int, Int)
  }

  private let draw: Draw
  private let seed: UInt64

  init(_ draw: Draw, _ seed: UInt64?) { (self.draw, self.seed) = (draw, seed ?? .random(in: 0 ... .max)) }

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let block = 1024
    Parallel.run(output.count, grain: 1 << 14, alignment: block) { part in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: block) { lanes in
        guard let base = lanes.baseAddress else { return }
        for start in stride(from: part.lowerBound, to: part.upperBound, by: block) {
          let end = min(start + block, part.upperBound)
          fill(UnsafeMutableRawPointer(base), start, end)
          Parallel.kernels.store(output.kind.code, base, output.element(start), end - start)
          if output.kind == .float16 { keepBelow(output, start, end) }
        }
      }
    }
  }

  private func fill(_ lanes: UnsafeMutableRawPointer, _ start: Int, _ end: Int) {
    let floats = lanes.assumingMemoryBound(to: Float.self)
    switch draw {
    case .normal(let mean, let deviation): mlct_random_normal(seed, mean, deviation, floats, start, end)
    case .uniform(let low, let high): mlct_random_uniform(seed, low, high, floats, start, end)
    case .whole(let low, let high):
      let integers = lanes.assumingMemoryBound(to: Int32.self)
      mlct_random_whole(seed, Int64(low), UInt32(high - low), integers, start, end)
    }
  }

  /// What rounds up to the upper end becomes the number below it.
  private func keepBelow(_ output: TensorValue, _ start: Int, _ end: Int) {
    guard case .uniform(_, let high) = draw else { return }
    let (elements, limit) = (output.base.assumingMemoryBound(to: Float16.self), Float16(high))
    for index in start..<end where elements[index] >= limit { elements[index] = limit.nextDown }
  }
}
