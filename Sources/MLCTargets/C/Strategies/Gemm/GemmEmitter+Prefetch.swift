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

  /// The loop over `step`s of k that asks for a line now and then; what is left of k follows.
  func prefetching(_ step: CCode) -> CCode {
    guard let steps = plan.stepsPerPrefetch else { return [] }
    return .block(
      "for (; k + \(steps) <= depth; next += 64)",
      "__builtin_prefetch(next, 0, 2);"
        + .block("_Pragma(\"clang loop unroll_count(2)\") for (const int64_t to = k + \(steps); k < to; k++)", step)
    )
  }
}
