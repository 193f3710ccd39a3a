import MLCCore
import MLCKernels

extension BlockedAttentionEmitter {
  /// One step of a product: `rows` broadcast elements times `vectors` vectors at `b`.
  private func step(_ rows: Int, _ vectors: Int, _ element: (Int) -> String) -> CCode {
    let loads = (0..<vectors).map { "const V w\($0) = LD(b + \($0) * VL);" }.joined(separator: " ")
    let products = (0..<rows).map { row in
      let sums = (0..<vectors).map { "c\(row)_\($0) += w\($0) * e;" }.joined(separator: " ")
      return "{ const float e = \(element(row)); \(sums) }"
    }
    return CCode(lines: [loads] + products)
  }

  /// Products of `rows` queries with every packed panel of keys.
  func scores(rows: Int, _ symbol: String) -> CCode {
    """
    static __attribute__((noinline, unused)) void \(symbol)_scores_\(rows)(
      const float *restrict left, const float *restrict b, int64_t panels, float *restrict x) {
      for (; panels > 0; panels--, x += \(tile.panel)) {
        \(.grid(rows, tile.vectors) { "V c\($0)_\($1) = {};" })
        _Pragma("clang loop unroll_count(2)")
        for (int64_t k = 0; k < \(problem.depth); k++, b += \(tile.panel)) {
          \(step(rows, tile.vectors) { "left[\($0 * problem.depth) + k]" })
        }
        \(.grid(rows, tile.vectors) { "ST(x + \($0 * tile.stride) + \($1) * VL, c\($0)_\($1));" })
      }
    }
    """
  }

  /// Adds the values of `columns` keys, weighted by `rows` rows of `x`, to `vectors` vectors of each row of `o`.
  func sums(_ rows: Int, _ vectors: Int, _ symbol: String) -> CCode {
    """
    static __attribute__((noinline, unused)) void \(symbol)_sums_\(rows)_\(vectors)(
      const float *restrict x, const float *restrict b, int64_t columns, float *restrict o, int first) {
      \(.grid(rows, vectors) { "V c\($0)_\($1) = {};" })
      if (!first) {
        \(.grid(rows, vectors) { "c\($0)_\($1) = LD(o + \($0 * width) + \($1) * VL);" })
      }
      _Pragma("clang loop unroll_count(2)")
      for (int64_t n = 0; n < columns; n++, b += \(width)) {
        \(step(rows, vectors) { "x[\($0 * tile.stride) + n]" })
      }
      \(.grid(rows, vectors) { "ST(o + \($0 * width) + \($1) * VL, c\($0)_\($1));" })
    }
    """
  }
}
