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

  /// The convolution by its definition, in doubles: `[N][M][OH][OW]`.
  func reference(_ size: [Int], x: Tensor, weight: Tensor, extra: [Piece: Tensor]) -> [Reference] {
    let (xs, ws) = (x.doubles, weight.doubles)
    let operands = extra.mapValues(\.doubles)
    let output = outputSize(size)
    var result: [Reference] = []
    for n in 0..<size[0] {
      for f in 0..<m {
        for y in 0..<output.h {
          for z in 0..<output.w {
            let (sum, magnitude) = products(size, xs, ws, n, f, y, z)
            let position = (n: n, f: f, pixel: y * output.w + z, pixels: output.h * output.w)
            result.append((finish(sum, operands, position), magnitude + 2))
          }
        }
      }
    }
    return result
  }

  private func products(
    _ size: [Int],
    _ x: [Double],
    _ w: [Double],
    _ n: Int,
    _ f: Int,
    _ y: Int,
    _ z: Int
  ) -> (Double, Double) {
    let each = c / groups
    let first = f / (m / groups) * each
    var (sum, magnitude) = (0.0, 0.0)
    for k in 0..<each {
      for kh in 0..<kernel.h {
        let row = y * strides.h + kh * dilations.h - top
        for kw in 0..<kernel.w where (0..<size[1]).contains(row) {
          let column = z * strides.w + kw * dilations.w - left
          guard (0..<size[2]).contains(column) else { continue }
          let product =
            x[((n * c + first + k) * size[1] + row) * size[2] + column]
            * w[((f * each + k) * kernel.h + kh) * kernel.w + kw]
          (sum, magnitude) = (sum + product, magnitude + abs(product))
        }
      }
    }
    return (sum, magnitude)
  }

  private func finish(
    _ sum: Double,
    _ operands: [Piece: [Double]],
    _ at: (n: Int, f: Int, pixel: Int, pixels: Int)
  ) -> Double {
    var value = sum
    for piece in epilogue {
      switch piece {
      case .bias: value += operands[.bias]![at.f]
      case .scale: value *= operands[.scale]![at.n * m + at.f]
      case .mask: value *= operands[.mask]![at.pixel]
      case .residual: value += operands[.residual]![(at.n * m + at.f) * at.pixels + at.pixel]
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
  let (n, c, h, w) = (tensor.shape[0], tensor.shape[1], tensor.shape[2], tensor.shape[3])
  let (blocks, rows, columns) = ((c + b.block - 1) / b.block, h + b.top + b.bottom, w + b.left + b.right)
  var values = [Double](repeating: 0, count: n * blocks * rows * columns * b.block)
  let from = tensor.doubles
  for index in from.indices {
    let (x, y, k, i) = (index % w, index / w % h, index / w / h % c, index / w / h / c)
    let pixel = ((i * blocks + k / b.block) * rows + y + b.top) * columns + x + b.left
    values[pixel * b.block + k % b.block] = from[index]
  }
  return Tensor(tensor.dtype, [values.count], values).withBytes { Array($0) }
}
