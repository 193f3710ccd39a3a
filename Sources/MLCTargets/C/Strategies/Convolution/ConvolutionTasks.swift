import MLCCore
import MLCKernels

/// How a convolution divides into tasks: panels of channels outermost, then images, then runs of rows (or of columns,
/// where all rows are one long row), so that consecutive tasks share a panel's weights.
struct ConvolutionTasks {
  let panels: Int
  let batch: Dim, extent: Dim
  /// Rows or columns of a run, a multiple of the tiles'.
  let run: Int

  /// Runs of about `work` multiply-adds, in multiples of `step`, of which each row or column takes `each`.
  init(panels: Int, batch: Dim, extent: Dim, step: Int, each: Int, work: Int = 1 << 20) {
    (self.panels, self.batch, self.extent) = (panels, batch, extent)
    let steps = Swift.max(1, work / Swift.max(1, each * step))
    let most = extent.constant.map { Swift.max(1, ($0 + step - 1) / step) } ?? steps
    // Runs of equal length where the extent is known.
    let count = (most + steps - 1) / steps
    run = step * (extent.constant == nil ? steps : (most + count - 1) / count)
  }

  var runs: Dim { extent.ceilDiv(Dim(run)) }
  var count: Dim { Dim(panels) * batch * runs }

  /// Declares `panel`, `image`, and the run `first ..< last` of `task`.
  func decode(_ sizes: SizeSpelling) -> [String] {
    let (runs, batch, extent) = (sizes.spell(runs), sizes.spell(batch), sizes.spell(extent))
    return [
      "const int64_t panel = task / (\(runs) * \(batch)), image = task / \(runs) % \(batch);",
      "const int64_t first = task % \(runs) * \(run);",
      "const int64_t last = first + \(run) < \(extent) ? first + \(run) : \(extent);",
    ]
  }
}
