import Foundation
import MLCCore
import MLCKernels

/// Numbers that look random and are the same in every run, in −1 ..< 1 and exact in float16.
struct Numbers {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int(state >> 54) - 512) / 512
  }
  mutating func tensor(_ type: DType, _ shape: [Int]) -> Tensor {
    Tensor(type, shape, (0..<shape.reduce(1, *)).map { _ in next() })
  }
}

extension ConvolutionCase {
  /// What one output is, and what an error in it is measured against.
  typealias Reference = (value: Double, magnitude: Double)

  /// The convolution by its definition, in doubles: `[N][M]` and the output's extents.
  func reference(_ size: [Int], x: Tensor, weight: Tensor, extra: [Piece: Tensor]) -> [Reference] {
    let (xs, ws) = (x.doubles, weight.doubles)
    let operands = extra.mapValues(\.doubles)
    let output = outputSize(size)
    let pixels = output.reduce(1, *)
    let reads = (0..<pixels).map { self.reads(of: position($0, in: output), Array(size[1...])) }
    var result: [Reference] = []
    for n in 0..<size[0] {
      for f in 0..<m {
        for pixel in 0..<pixels {
          let (sum, magnitude) = products(reads[pixel], size, xs, ws, n, f)
          let place = (n: n, f: f, pixel: pixel, pixels: pixels, column: pixel % output.last!)
          result.append((finish(sum, operands, place), magnitude + 2))
        }
      }
    }
    return result
  }

  /// The indices of the `number`-th element of a tensor.
  private func position(_ number: Int, in shape: [Int]) -> [Int] {
    var (rest, indices) = (number, shape)
    for axis in shape.indices.reversed() { (rest, indices[axis]) = rest.quotientAndRemainder(dividingBy: shape[axis]) }
    return indices
  }

  /// The taps of a filter that see elements of a plane, and where these are.
  private func reads(of output: [Int], _ extents: [Int]) -> [(tap: Int, place: Int)] {
    let taps = bare.spans.map(\.kernel)
    return (0..<taps.reduce(1, *)).compactMap { tap in
      let input = zip(zip(position(tap, in: taps), output), bare.spans).map { pair, span in
        pair.1 * span.stride + pair.0 * span.dilation - span.low
      }
      guard zip(input, extents).allSatisfy({ (0..<$1).contains($0) }) else { return nil }
      return (tap, zip(input, extents).reduce(0) { $0 * $1.1 + $1.0 })
    }
  }

  private func products(
    _ reads: [(tap: Int, place: Int)],
    _ size: [Int],
    _ x: [Double],
    _ w: [Double],
    _ n: Int,
    _ f: Int
  ) -> (Double, Double) {
    let (each, plane) = (c / groups, size[1...].reduce(1, *))
    let (first, count) = (n * c + f / (m / groups) * each, bare.spans.reduce(1) { $0 * $1.kernel })
    var (sum, magnitude) = (0.0, 0.0)
    for (tap, place) in reads {
      for k in 0..<each {
        let product = x[(first + k) * plane + place] * w[(f * each + k) * count + tap]
        (sum, magnitude) = (sum + product, magnitude + abs(product))
      }
    }
    return (sum, magnitude)
  }

  private func finish(
    _ sum: Double,
    _ operands: [Piece: [Double]],
    _ at: (n: Int, f: Int, pixel: Int, pixels: Int, column: Int)
  ) -> Double {
    var value = sum
    for piece in epilogue {
      switch piece {
      case .bias: value += operands[.bias]![at.f]
      case .scale: value *= operands[.scale]![at.n * m + at.f]
      case .mask: value *= operands[.mask]![at.pixel]
      case .residual: value += operands[.residual]![(at.n * m + at.f) * at.pixels + at.pixel]
      case .row: value += operands[.row]![at.column]
      case .relu: value = max(value, 0)
      case .silu: value /= 1 + exp(-value)
      }
    }
    return value
  }
}

/// Values of a plain tensor as the bytes of `layout`, zeros in the halo and in the lanes past the channels.
func stored(_ tensor: Tensor, _ layout: Layout) -> [UInt8] {
  guard case .blocked(let b) = layout else { return tensor.withBytes { Array($0) } }
  var values = [Double](repeating: 0, count: b.storedCount(tensor.shape))
  for (flat, value) in tensor.doubles.enumerated() { values[b.place(of: flat, in: tensor.shape)] = value }
  return Tensor(tensor.dtype, [values.count], values).withBytes { Array($0) }
}
