import MLCCore
import MLCKernels

extension WindowConv {
  /// Filters of the tiles that tasks meet: as even as they can be.
  var rowCounts: Set<Int> {
    let rest = problem.filtersPerGroup % plan.filters
    return plan.tile.split(plan.filters).union(plan.tile.split(rest))
  }

  /// Vectors of outputs that micro-kernels are needed for, the most first.
  var widths: [Int] { [plan.tile.vectors] + (plan.rest(problem) == 0 ? [] : [plan.rest(problem)]) }

  /// The function that sums `rows` filters over `channels` channels for `vectors` vectors of outputs. Rows of `sums`
  /// are `width` apart.
  func microKernel(_ rows: Int, _ vectors: Int, _ symbol: String) -> String {
    func each(_ body: (Int, Int) -> String) -> String {
      (0..<rows).map { row in "  " + (0..<vectors).map { body(row, $0) }.joined(separator: " ") }
        .joined(separator: "\n")
    }
    let more = each { "c\($0)_\($1) = LD(sums + \($0 * width) + \($1) * VL);" }
    return """
      static __attribute__((noinline)) void \(symbol)_\(rows)x\(vectors)(
        const float *restrict w, const float *restrict b, int64_t channels,
        float *restrict sums\(isChunked ? ", int64_t isFirst" : "")) {
      \(each { "V c\($0)_\($1) = {};" })
      \(isChunked ? "  if (!isFirst) {\n\(more)\n  }" : "")
      \(plan.isDirect ? shifted(rows, vectors, symbol) : gathered(rows, vectors))
      \(each { "ST(sums + \($0 * width) + \($1) * VL, c\($0)_\($1));" })
      }

      """
  }

  private func gathered(_ rows: Int, _ vectors: Int) -> String {
    """
      const int64_t steps = channels * \(problem.windowTaps);
      _Pragma("clang loop unroll_count(2)") for (int64_t k = 0; k < steps; k++, b += \(width)) {
    \(step(rows, vectors, "b"))
      }
    """
  }

  private func shifted(_ rows: Int, _ vectors: Int, _ symbol: String) -> String {
    let unrolling = rows * vectors >= 16 ? "unroll(disable)" : "unroll_count(3)"
    return """
        for (int64_t c = 0, k = 0; c < channels; c++, b += \(geometry.channelStride))
          _Pragma("clang loop \(unrolling)") for (int64_t t = 0; t < \(problem.windowTaps); t++, k++) {
            const float *const q = b + \(symbol)_taps[t];
      \(step(rows, vectors, "q"))
          }
      """
  }

  /// Product `k` of every filter and output: one load a vector of outputs, one broadcast a filter.
  private func step(_ rows: Int, _ vectors: Int, _ source: String) -> String {
    let loads = (0..<vectors).map { "const V b\($0) = LD(\(source) + \($0) * VL);" }
    let products = (0..<rows).map { row in
      "    { const float a = w[\(row * weightStride) + k]; "
        + (0..<vectors).map { "c\(row)_\($0) += b\($0) * a;" }.joined(separator: " ") + " }"
    }
    return (["    " + loads.joined(separator: " ")] + products).joined(separator: "\n")
  }
}
