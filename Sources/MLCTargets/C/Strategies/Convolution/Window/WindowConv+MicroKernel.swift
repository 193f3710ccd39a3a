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
  func microKernel(_ rows: Int, _ vectors: Int, _ symbol: String) -> CCode {
    func each(_ statement: (_ row: Int, _ vector: Int) -> String) -> CCode {
      .grid(rows, vectors, statement)
    }
    let more = CCode.block("if (!isFirst)", each { "c\($0)_\($1) = LD(sums + \($0 * width) + \($1) * VL);" })
    return """
      static __attribute__((noinline)) void \(symbol)_\(rows)x\(vectors)(
        const float *restrict w, const float *restrict b, int64_t channels,
        float *restrict sums\(isChunked ? ", int64_t isFirst" : "")) {
        \(each { "V c\($0)_\($1) = {};" })
        \(isChunked ? more : [])
        \(plan.isDirect ? shifted(rows, vectors, symbol) : gathered(rows, vectors))
        \(each { "ST(sums + \($0 * width) + \($1) * VL, c\($0)_\($1));" })
      }
      """
  }

  private func gathered(_ rows: Int, _ vectors: Int) -> CCode {
    """
    const int64_t steps = channels * \(problem.taps);
    _Pragma("clang loop unroll_count(2)") for (int64_t k = 0; k < steps; k++, b += \(width)) {
      \(step(rows, vectors, "b"))
    }
    """
  }

  private func shifted(_ rows: Int, _ vectors: Int, _ symbol: String) -> CCode {
    let unrolling = rows * vectors >= 16 ? "unroll(disable)" : "unroll_count(3)"
    return """
      for (int64_t c = 0, k = 0; c < channels; c++, b += \(geometry.channelStride))
        _Pragma("clang loop \(unrolling)") for (int64_t t = 0; t < \(problem.taps); t++, k++) {
          const float *const q = b + \(symbol)_taps[t];
          \(step(rows, vectors, "q"))
        }
      """
  }

  /// Product `k` of every filter and output: one load a vector of outputs, one broadcast a filter.
  private func step(_ rows: Int, _ vectors: Int, _ source: String) -> CCode {
    let loads = (0..<vectors).map { "const V b\($0) = LD(\(source) + \($0) * VL);" }.joined(separator: " ")
    let products = (0..<rows).map { row in
      let sums = (0..<vectors).map { "c\(row)_\($0) += b\($0) * a;" }.joined(separator: " ")
      return "{ const float a = w[\(row * weightStride) + k]; \(sums) }"
    }
    return CCode(lines: [loads] + products)
  }
}
