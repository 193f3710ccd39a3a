import MLCCore
import MLCKernels

/// How a convolution divides into tasks: panels of channels by images, or their planes, by runs of rows (or of columns,
/// where all rows are one long row).
struct ConvolutionTasks {
  let panels: Int
  let batch: Dim, extent: Dim
  /// Planes of an image that are tasks of their own; `nil` where there is one.
  let planes: Dim?
  /// Rows or columns of a run, a multiple of the tiles'.
  let run: Int
  /// Whether consecutive tasks share a run's inputs; otherwise they share a panel's weights.
  let isRunOutermost: Bool

  /// What one row or column of one panel costs, for the length of a run.
  struct Load {
    var products: Int, inputBytes: Int
    /// Of all panels.
    var weightBytes: Int
  }

  /// Runs are multiples of `step`, of about `work` multiply-adds, or as long as `cache` bytes hold their inputs.
  init(
    panels: Int,
    batch: Dim,
    planes: Dim? = nil,
    extent: Dim,
    step: Int,
    load: Load,
    cache: Int,
    work: Int = 1 << 20
  ) {
    (self.panels, self.batch, self.planes, self.extent) = (panels, batch, planes, extent)
    let length = extent.constant ?? 64
    let resident = Swift.max(step, cache / 2 / Swift.max(1, load.inputBytes) / step * step)
    // Bytes from beyond the cache, whichever of weights and inputs is read again.
    let again = (inputs: panels * length * load.inputBytes, weights: length / resident * load.weightBytes)
    isRunOutermost = panels > 1 && resident < length && (again.weights < again.inputs || load.weightBytes < cache / 2)
    let wished = Swift.max(1, work / Swift.max(1, load.products * step)) * step
    let longest = isRunOutermost ? Swift.min(resident, Swift.max(wished, resident / 2)) : wished
    run = ConvolutionTasks.even(extent: extent.constant, longest: longest, step: step)
  }

  /// The length of equal runs of at most `longest`.
  private static func even(extent: Int?, longest: Int, step: Int) -> Int {
    guard let extent else { return longest }
    let (steps, most) = (Swift.max(1, (extent + step - 1) / step), longest / step)
    let count = (steps + most - 1) / most
    return step * ((steps + count - 1) / count)
  }

  var runs: Dim { extent.ceilDiv(Dim(run)) }
  private var pictures: Dim { batch * (planes ?? 1) }
  var count: Dim { Dim(panels) * pictures * runs }

  /// Declares `panel`, `image`, where images have several its plane `z`, and the run `first ..< last` of `task`. Planes
  /// follow each other run by run: their windows share inputs.
  func decode(_ sizes: SizeSpelling) -> CCode {
    let (runs, pictures, extent) = (sizes.spell(runs), sizes.spell(pictures), sizes.spell(extent))
    let each = planes.map { " / \(sizes.spell($0))" } ?? ""
    let z = planes.map { "\(isRunOutermost ? "task / \(panels)" : "task") % \(sizes.spell($0))" }
    let position: CCode =
      isRunOutermost
      ? """
      const int64_t panel = task % \(panels), image = task / (\(panels) * \(runs))\(each);
      const int64_t first = task / \(panels)\(each) % \(runs) * \(run);
      """
      : """
      const int64_t panel = task / (\(runs) * \(pictures)), image = task\(each) / \(runs) % \(sizes.spell(batch));
      const int64_t first = task\(each) % \(runs) * \(run);
      """
    return position + (z.map { CCode("const int64_t z = \($0);") } ?? [])
      + "const int64_t last = first + \(run) < \(extent) ? first + \(run) : \(extent);"
  }
}
