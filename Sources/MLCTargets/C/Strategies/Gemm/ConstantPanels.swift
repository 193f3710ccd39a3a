import MLCCore
import MLCKernels

/// The right operand rearranged while compiling: `[batch…][⌈N / width⌉][K][width]`, columns past N zero.
struct ConstantPanels {
  /// Batch axes that the operand depends on, with their extents.
  var batch: [(axis: Axis, extent: Int)]
  var n, k, width: Int
  private var strides: (batch: [Int], n: Int, k: Int, offset: Int)

  /// `nil` when a size is symbolic, or an access would leave the tensor.
  init?(_ problem: GemmProblem, width: Int) {
    guard let tensor = problem.constant else { return nil }
    let axes = problem.matmul.batch.filter { problem.rhs.stride($0) != 0 }
    guard let n = problem.matmul.n.extent.constant, let k = problem.matmul.k.extent.constant,
      let strideN = problem.rhs.stride(problem.matmul.n).constant,
      let strideK = problem.rhs.stride(problem.matmul.k).constant,
      let offset = problem.rhs.offset.constant
    else { return nil }
    let extents = axes.compactMap { $0.extent.constant }
    let steps = axes.compactMap { problem.rhs.stride($0).constant }
    guard extents.count == axes.count, steps.count == axes.count else { return nil }
    (self.n, self.k, self.width) = (n, k, width)
    batch = zip(axes, extents).map { ($0, $1) }
    strides = (steps, strideN, strideK, offset)
    guard count <= maximumTensorBytes / 4, isInside(tensor.count) else { return nil }
  }

  var panels: Int { (n + width - 1) / width }
  private var batchCount: Int { batch.reduce(1) { $0 * $1.extent } }
  private var count: Int { ([panels, k, width] + batch.map(\.extent)).checkedProduct ?? Int.max }

  private func isInside(_ count: Int) -> Bool {
    if self.count == 0 { return true }
    let steps = zip(strides.batch, batch).map { $0 * ($1.extent - 1) } + [strides.n * (n - 1), strides.k * (k - 1)]
    let low = steps.reduce(strides.offset) { $0 + min($1, 0) }
    let high = steps.reduce(strides.offset) { $0 + max($1, 0) }
    return low >= 0 && high < count
  }

  /// The panels of `tensor` in its own element type, or as float32.
  func pack(_ tensor: Tensor, as type: DType) -> Tensor {
    if type == tensor.dtype {
      return type == .float32 ? rearranged(tensor, of: Float.self) { $0 } : rearranged(tensor, of: UInt16.self) { $0 }
    }
    let wide = tensor.converted(to: .float32)
    return rearranged(wide, of: Float.self) { $0 }
  }

  private func rearranged<E: BitwiseCopyable>(_ tensor: Tensor, of type: E.Type, _ value: (E) -> E) -> Tensor {
    Tensor(tensor.dtype, [batchCount, panels, k, width], of: E.self) { target in
      tensor.withElements(of: E.self) { source in
        var position = 0
        for b in 0..<batchCount {
          let base = strides.offset + batchOffset(b)
          for first in stride(from: 0, to: n, by: width) {
            let columns = min(width, n - first)
            for step in 0..<k {
              let row = base + first * strides.n + step * strides.k
              for column in 0..<columns { target[position + column] = source[row + column * strides.n] }
              position += width
            }
          }
        }
      }
    }
  }

  private func batchOffset(_ index: Int) -> Int {
    var (rest, offset) = (index, 0)
    for (step, axis) in zip(strides.batch, batch).reversed() {
      offset += rest % axis.extent * step
      rest /= axis.extent
    }
    return offset
  }
}
