import MLCCore
import MLCKernels

/// How a convolution whose vectors run along the window is computed: the choices that the emitter spells out.
struct LongWindowPlan {
  /// Filters by columns that a micro-kernel keeps in registers, a column being a tap of the output of an image.
  let rows: Int, columns: Int
  /// Filters and images of a task.
  let filters: Int, images: Int
  /// Elements of the window that follow each other in the input, and how many such runs are multiplied at a time.
  let run: Int, runs: Int
  /// Estimated vector operations on one core.
  let cost: Double

  var depth: Int { run * runs }

  /// The cheapest plan; sizes that are not known count as 64.
  static func best(_ space: LongWindowSpace) -> LongWindowPlan {
    let most = space.problem.device.vectorRegisters
    let widths = (1...Swift.min(space.columns, 16)).map { columns in
      LongWindowPlan(space, rows: Swift.max(1, (most - 1) / (columns + 1)), columns: columns)
    }
    return widths.min { $0.cost < $1.cost }!
  }

  private init(_ space: LongWindowSpace, rows: Int, columns: Int) {
    let (problem, lanes) = (space.problem, space.problem.device.lanes)
    let (first, second) = (problem.device.cacheBytes.first ?? 1 << 15, problem.device.cacheBytes.last ?? 1 << 18)
    (self.rows, self.columns) = (Swift.min(rows, problem.filtersPerGroup), columns)
    (run, runs) = (space.run, Swift.max(1, first / 8 / (rows + columns) / space.run))
    // Sums, one vector each, stay in a quarter of the second-level cache, and what is multiplied in another.
    let sums = Swift.max(1, second / 16 / lanes)
    let rest = Swift.max(1, second / 16 / (run * runs))
    filters = Swift.min(problem.filtersPerGroup, Swift.max(rows, Swift.min(rest / 2, sums / space.taps)))
    let shared = Swift.min(rest / 2, sums / filters) / space.taps
    let tasks = problem.groups * ((problem.filtersPerGroup + filters - 1) / filters)
    // Each task reads all of its filters' windows: there are some tasks, not many.
    let parted = (space.images * tasks + 7) / 8
    images = Swift.max(1, Swift.min(space.images, shared, Swift.max(parted, (columns + space.taps - 1) / space.taps)))
    cost = LongWindowPlan.cost(space, rows: self.rows, columns, filters, images, steps: run * runs)
  }

  /// Products, and their loads, those of filters from the second-level cache; what is gathered; sums that wait in
  /// memory between parts of the window, and are added up and stored in the end.
  private static func cost(
    _ space: LongWindowSpace,
    rows: Int,
    _ columns: Int,
    _ filters: Int,
    _ images: Int,
    steps: Int
  ) -> Double {
    let problem = space.problem
    let lanes = Double(problem.device.lanes)
    func ceil(_ a: Int, _ b: Int) -> Double { Double((a + b - 1) / b) }
    let parts = (filters: ceil(problem.filtersPerGroup, filters), images: ceil(space.images, images))
    let tiles = parts.filters * parts.images * ceil(filters, rows) * ceil(images * space.taps, columns)
    let (products, loads) = (Double(rows * columns), Double(rows + columns))
    let step = Swift.max(products, loads, 2.5 * Double(rows), 8) + 0.15 * loads
    let total = Double(space.steps)
    let pieces = (total / Double(steps)).rounded(.up)
    let outputs = Double(problem.filtersPerGroup * space.columns)
    let gathered = space.isContiguous ? 0 : total / Double(space.run) * (16 + Double(space.run) * space.copying / lanes)
    let multiplied = tiles * step * (total / lanes + 1)
    return Double(problem.groups)
      * (multiplied + 3 * outputs * pieces + parts.filters * Double(space.columns) * gathered + 16 * outputs)
  }
}
