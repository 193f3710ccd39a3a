import MLCCore
import MLCKernels

/// Panels lie one behind the other, parts of k of a panel too: while the tiles of a task multiply by one, each asks for
/// a slice of what follows, which has arrived when it is needed.
extension GemmEmitter {
  private var lineElements: Int { 64 * 8 / (plan.constantType ?? problem.sumElement).bitWidth }

  var prefetchParameter: String { plan.stepsPerPrefetch == nil ? "" : ", const char *next" }

  /// Declares `next`, the first tile's slice, `slice`, its bytes, and `slices`, how many are of use.
  var prefetched: CCode {
    guard let steps = plan.stepsPerPrefetch else { return [] }
    return """
      const int64_t slice = depth / \(steps) * 64, all = depth * \(plan.width) / \(lineElements) * 64;
      const int64_t slices = all / (slice + 1);
      const char *next = (const char *)(b + depth * \(plan.width));
      """
  }

  /// Goes on to the next tile's slice; what is there already is asked for where all has been.
  var nextSlice: CCode {
    plan.stepsPerPrefetch == nil ? [] : "next = tile < slices ? next + slice : (const char *)b;"
  }

  /// The loop over `step`s of k that asks for lines now and then: one of what follows the panel, and those of a row of
  /// the tile's results until all rows have been. What is left of k follows.
  func prefetching(_ step: CCode, rows: Int, _ symbol: String) -> CCode {
    guard let steps = plan.stepsPerPrefetch ?? (plan.fetchesResults ? GemmPlan.stepsPerRow : nil) else { return [] }
    let first = plan.chunked ? "at->last ? 0 : \(rows)" : "0"
    let results: CCode = """
      if (fetched < \(rows)) {
        \(fetch(row: "fetched", symbol))
        fetched++;
      }
      """
    return """
      \(plan.fetchesResults ? "int64_t fetched = \(first);" : "")
      while (k + \(steps) <= depth) {
        \(plan.stepsPerPrefetch == nil ? "" : "__builtin_prefetch(next, 0, 2); next += 64;")
        \(plan.fetchesResults ? results : [])
        _Pragma("clang loop unroll_count(2)") for (const int64_t to = k + \(steps); k < to; k++) {
          \(step)
        }
      }
      """
  }

  /// Asks for the lines that hold a row of the tile's results.
  private func fetch(row: String, _ symbol: String) -> CCode {
    let line = 64 * 8 / problem.outputType.bitWidth
    let columns = Array(stride(from: 0, to: plan.width, by: line)) + [plan.width - 1]
    return CCode(
      lines: columns.map { "__builtin_prefetch(\(symbol)_place(at, at->m + \(row), at->n + \($0)), 1, 3);" }
    )
  }
}

extension GemmPlan {
  /// Steps of k between the lines of two rows of results: memory brings no more at once.
  static let stepsPerRow = 8

  /// This plan, with results fetched where they are too many for the first cache: a store waits for the line that it
  /// writes a part of, and short products hide few of them.
  func fetchingResults(of problem: GemmProblem, on device: DeviceDescription) -> GemmPlan {
    let matmul = problem.matmul
    let extents = (matmul.batch + [matmul.m, matmul.n]).map { $0.extent.constant ?? 128 }
    let bytes = extents.reduce(Double(problem.outputType.bitWidth) / 8) { $0 * Double($1) }
    var plan = self
    plan.fetchesResults =
      tile.rows > 4 && !usesTiles && !problem.areHalves && (compressed == nil || expandsCodes)
      && bytes > 2 * Double(device.cacheBytes.first ?? 1 << 15)
    return plan
  }
}
