import MLCCore
import MLCKernels

/// The right operand rearranged while compiling: `[batch…][⌈N / width⌉][K][width]`, columns past N zero. Panels of
/// another width than micro-kernels compute are strips.
struct ConstantPanels {
  /// Batch axes that the operand depends on, with their extents.
  var batch: [(axis: Axis, extent: Int)]
  var n, k, width: Int
  /// Elements of a column, behind which k may go on: two a step of k where they are pairs.
  private let elements: Int
  private var strides: (batch: [Int], n: Int, k: Int, offset: Int)

  /// `nil` when a size is symbolic, or an access would leave the tensor.
  init?(_ problem: GemmProblem, width: Int) {
    guard problem.isConstant else { return nil }
    let axes = problem.matmul.batch.filter { problem.rhs.stride($0) != 0 }
    guard let n = problem.matmul.n.extent.constant, let k = problem.matmul.k.extent.constant,
      let strideN = problem.rhs.stride(problem.matmul.n).constant,
      let strideK = problem.rhs.stride(problem.matmul.k).constant,
      let offset = problem.rhs.offset.constant
    else { return nil }
    let extents = axes.compactMap { $0.extent.constant }
    let steps = axes.compactMap { problem.rhs.stride($0).constant }
    guard extents.count == axes.count, steps.count == axes.count else { return nil }
    (self.n, self.k, self.width, elements) = (n, k, width, problem.factors?.depth ?? problem.wordsPerRow ?? k)
    batch = zip(axes, extents).map { ($0, $1) }
    strides = (steps, strideN, strideK, offset)
    guard count <= maximumTensorBytes / 4, isInside(problem.constantCount) else { return nil }
  }

  var strips: WeightStrips { WeightStrips(columns: n, steps: k, width: width) }
  var panels: Int { n / width + (n % width == 0 ? 0 : 1) }
  private var batchCount: Int { batch.reduce(1) { $0 * $1.extent } }
  private var count: Int { ([panels, k, width] + batch.map(\.extent)).checkedProduct ?? Int.max }

  /// Whether every access stays among `count` elements.
  private func isInside(_ count: Int) -> Bool {
    if self.count == 0 { return true }
    var (low, high) = (strides.offset, strides.offset)
    for (step, extent) in zip(strides.batch + [strides.n, strides.k], batch.map(\.extent) + [n, elements]) {
      let (reach, overflow) = step.multipliedReportingOverflow(by: extent - 1)
      let (nextLow, lowOverflow) = low.addingReportingOverflow(min(reach, 0))
      let (nextHigh, highOverflow) = high.addingReportingOverflow(max(reach, 0))
      if overflow || lowOverflow || highOverflow { return false }
      (low, high) = (nextLow, nextHigh)
    }
    return low >= 0 && high < count
  }

  /// Where each column and each step lies in the operand.
  func grid(vectors: Int) -> WeightGrid {
    var columns: [Int] = []
    columns.reserveCapacity(batchCount * panels * width)
    for b in 0..<batchCount {
      let base = strides.offset + batchOffset(b)
      for column in 0..<panels * width { columns.append(column < n ? base + column * strides.n : -1) }
    }
    return WeightGrid(
      lanes: columns,
      steps: (0..<k).map { $0 * strides.k },
      panels: [Int](repeating: vectors, count: batchCount * panels)
    )
  }

  /// The panels of `tensor` in its own element type, or as float32; words of bytes are int32.
  func pack(_ tensor: Tensor, as type: DType) -> Tensor {
    let source = tensor.converted(to: type)
    switch type.bitWidth {
    case 64: return rearranged(source, of: UInt64.self)
    case 32: return rearranged(source, of: UInt32.self)
    default: return rearranged(source, of: UInt16.self)
    }
  }

  /// The panels of `tensor` rounded to bfloat16, two steps of a column a word, the first in its low half; zeros behind
  /// the last.
  func packPairs(_ tensor: Tensor) -> Tensor {
    Tensor(.int32, [batchCount, panels, k, width], of: UInt32.self) { target in
      tensor.converted(to: .bfloat16).withElements(of: UInt16.self) { source in
        var position = 0
        for b in 0..<batchCount {
          let base = strides.offset + batchOffset(b)
          for first in stride(from: 0, to: n, by: width) {
            for step in 0..<k {
              for column in 0..<min(width, n - first) {
                let place = base + (first + column) * strides.n + 2 * step * strides.k
                let first = 2 * step < elements ? UInt32(source[place]) : 0
                let second = 2 * step + 1 < elements ? UInt32(source[place + strides.k]) : 0
                target[position + column] = second << 16 | first
              }
              position += width
            }
          }
        }
      }
    }
  }

  private func rearranged<E: BitwiseCopyable>(_ tensor: Tensor, of type: E.Type) -> Tensor {
    Tensor(tensor.dtype, [batchCount, panels, k, width], of: E.self) { target in
      tensor.withElements(of: E.self) { source in
        var position = 0
        for b in 0..<batchCount {
          let base = strides.offset + batchOffset(b)
          for first in stride(from: 0, to: n, by: width) {
            let columns = min(width, n - first)
            for step in 0..<elements {
              let row = base + first * strides.n + step * strides.k
              for column in 0..<columns { target[position + column] = source[row + column * strides.n] }
              position += width
            }
            position += (k - elements) * width
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
