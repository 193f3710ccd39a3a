import MLCCore
import MLCKernels

extension GemmEmitter {
  /// `rows` rows of one panel in tiles, then their sums in scratch, then the epilogue. Tiles may read and compute rows
  /// past the last one, which nobody stores.
  func tileMicroKernel(rows: Int, _ symbol: String) -> CCode {
    let (high, wide) = ((rows + TileShape.rows - 1) / TileShape.rows, plan.tile.vectors)
    let (left, dot) = (leftStrides, problem.areBytes ? "MLC_TILE_DOT4" : "MLC_TILE_DOT2")
    func each(_ body: (_ row: Int, _ column: Int, _ sums: Int) -> String) -> CCode {
      CCode(lines: (0..<high).map { i in (0..<wide).map { body(i, $0, 2 * i + $0) }.joined(separator: " ") })
    }
    let loads =
      (0..<wide).map { "MLC_TILE_LOAD(\(6 + $0), b + \(16 * $0), \(4 * plan.width));" }
      + (0..<high).map { i in
        let place = "a + \(i * TileShape.rows) * \(left.row) + \(left.k) * k"
        return "MLC_TILE_LOAD(\(4 + i), \(place), \(4 * plan.leftStride));"
      }
    return """
      static __attribute__((noinline, unused)) void \(symbol)_\(rows)(
        const struct \(symbol)_at *restrict at, const \(leftType) *restrict a, const int32_t *restrict b, int64_t depth
        \(prefetchParameter)) {
        \(each { "MLC_TILE_ZERO(\($2));" })
        for (int64_t k = 0; k < depth; k += \(TileShape.words), b += \(TileShape.words * plan.width)) {
          \(fetches)
          \(CCode(lines: loads))
          \(each { "\(dot)(\($2), \(4 + $0), \(6 + $1));" })
        }
        \(element) *sums = at->sums;
        \(each {
          "MLC_TILE_STORE(\($2), sums + \($0 * TileShape.rows * plan.width + $1 * 16), \(4 * plan.width));"
        })
        \(symbol)_finish(at, \(rows));
      }
      """
  }

  /// The lines that the steps of one row of tiles ask for.
  private var fetches: CCode {
    guard let steps = plan.stepsPerPrefetch else { return [] }
    let lines = (0..<TileShape.words / steps).map { "__builtin_prefetch(next + \(64 * $0), 0, 2);" }
    return CCode(lines: lines) + "next += \(64 * TileShape.words / steps);"
  }
}
