import MLCCore
import MLCKernels

/// How a convolution of plain tensors is computed: the choices that the emitter spells out.
struct WindowPlan {
  /// Filters by vectors of outputs that a micro-kernel keeps in registers.
  var tile: GemmTile
  /// Whether micro-kernels read the copied inputs where they are, computing what lies between rows of outputs too.
  /// Otherwise what the outputs of a tile read is gathered tap by tap first.
  var isDirect: Bool
  let space: WindowSpace
  var region: WindowRegion
  /// Input channels copied at a time, and filters of a task.
  var channels: Int, filters: Int
  /// Estimated vector operations on one core.
  var cost: Double

  /// The cheapest plan; sizes that are not known count as 64. Rows of outputs may be one long row where `isFlat`.
  static func best(_ problem: ConvolutionProblem, isFlat: Bool) -> WindowPlan {
    let lanes = problem.device.lanes
    let space = WindowSpace(problem, mayMerge: isFlat)
    var best: WindowPlan?
    for tile in problem.device.wanted(tiles(problem.device), \.variant) {
      for (isDirect, mayStack) in [(false, true), (true, false), (true, true)] {
        var plan = WindowPlan(tile: tile, isDirect: isDirect, mayStack: mayStack, space, problem)
        plan.cost = plan.operations(problem, width: tile.vectors * lanes, lanes)
        if plan.cost < best?.cost ?? .infinity { best = plan }
      }
    }
    return best!
  }

  static func tiles(_ device: DeviceDescription) -> [GemmTile] {
    let shapes =
      device.vectorRegisters >= 32
      ? [(1, 8), (2, 8), (3, 6), (4, 6), (6, 4), (8, 3), (12, 2), (24, 1)]
      : device.lanes >= 8
        ? [(1, 6), (2, 4), (3, 3), (4, 3), (6, 2), (12, 1)] : [(1, 6), (2, 4), (3, 3), (4, 2), (8, 1)]
    return shapes.map { GemmTile(rows: $0.0, vectors: $0.1) }
  }

  /// `mayStack` says whether a region may have several planes.
  private init(tile: GemmTile, isDirect: Bool, mayStack: Bool, _ space: WindowSpace, _ problem: ConvolutionProblem) {
    (self.tile, self.isDirect, self.space) = (tile, isDirect, space)
    (region, channels, filters, cost) = (.init(planes: 1, rows: 1, columns: 1), 1, problem.filtersPerGroup, .infinity)
    chooseRegion(problem, mayStack: mayStack)
    chooseChannels(problem)
    chooseFilters(problem)
  }

  var geometry: WindowGeometry { WindowGeometry(space, region) }
  func width(_ problem: ConvolutionProblem) -> Int { tile.width(problem.device) }

  /// Floats of copied inputs that leave room in the second-level cache for weights and what is gathered.
  private static func room(_ problem: ConvolutionProblem) -> Int { (problem.device.cacheBytes.last ?? 1 << 18) / 16 }

  /// Whether 64 input channels, or all, of `region` fit.
  private func fits(_ region: WindowRegion, _ problem: ConvolutionProblem) -> Bool {
    WindowGeometry(space, region).channelStride * Swift.min(problem.channelsPerGroup, 64) <= WindowPlan.room(problem)
  }

  /// Grows to whole rows and whole planes while there is room, up to about two million products.
  private mutating func chooseRegion(_ problem: ConvolutionProblem, mayStack: Bool) {
    let width = width(problem)
    let wanted = Swift.max(2 * width, (1 << 21) / Swift.max(1, problem.filtersPerGroup * problem.steps))
    let columns = space.output[2].constant
    region.columns = columns ?? 4 * width
    while region.columns > width, columns == nil || region.columns > wanted || !fits(region, problem) {
      region.columns = Swift.max(width, (region.columns / 2 + width - 1) / width * width)
      if region.columns <= wanted || isAlongRows(problem), fits(region, problem) { break }
    }
    guard columns == region.columns else { return }
    func grow(_ path: WritableKeyPath<WindowRegion, Int>, to limit: Int?) {
      while region[keyPath: path] < limit ?? .max {
        var larger = region
        larger[keyPath: path] += 1
        guard larger.pixels <= wanted, fits(larger, problem) else { break }
        region = larger
      }
      guard let limit else { return }
      let count = (limit + region[keyPath: path] - 1) / region[keyPath: path]
      region[keyPath: path] = (limit + count - 1) / count
    }
    grow(\.rows, to: space.output[1].constant)
    guard mayStack, space.output[1].constant == region.rows, !isDirect || space.spans[0].stride == 1 else { return }
    grow(\.planes, to: space.output[0].constant)
  }

  /// Equal parts of the channels, such that inputs and what is gathered of them stay in the second-level cache.
  private mutating func chooseChannels(_ problem: ConvolutionProblem) {
    let room = WindowPlan.room(problem)
    var most = Swift.max(1, 2 * room / geometry.channelStride)
    if !isDirect { most = Swift.min(most, Swift.max(1, 2 * room / (problem.taps * width(problem)))) }
    let parts = (problem.channelsPerGroup + most - 1) / most
    channels = (problem.channelsPerGroup + parts - 1) / parts
  }

  /// All of a group's, unless that leaves a large machine without work.
  private mutating func chooseFilters(_ problem: ConvolutionProblem) {
    let regions = (problem.batch.constant ?? 1) * problem.groups * regions(problem)
    guard regions > 0, regions < 16 else { return }
    let parts = Swift.min((15 + regions) / regions, Swift.max(1, problem.filtersPerGroup / 48))
    let even = (problem.filtersPerGroup + parts - 1) / parts
    filters = Swift.min(problem.filtersPerGroup, (even + tile.rows - 1) / tile.rows * tile.rows)
  }

  /// Whether the outputs of a few filters are computed and stored from one end of a region to the other before those of
  /// the next ones: a row whose inputs stay in the first-level cache, which memory takes best in one piece.
  func isAlongRows(_ problem: ConvolutionProblem) -> Bool {
    let inputs = WindowGeometry(space, region).channelStride * problem.channelsPerGroup
    return isDirect && region.planes * region.rows == 1 && inputs <= (problem.device.cacheBytes.first ?? 1 << 15) / 8
  }

  private func regions(_ problem: ConvolutionProblem) -> Int {
    zip(space.output, [region.planes, region.rows, region.columns]).reduce(1) {
      $0 * ((($1.0.constant ?? 64) + $1.1 - 1) / $1.1)
    }
  }

  /// Regions of an image, the one at the end of a row for what it has: planes and rows divide into equal ones.
  private func wholeRegions(_ problem: ConvolutionProblem) -> Double {
    let columns = space.output[2].constant ?? 64
    let count = (columns + region.columns - 1) / region.columns
    return Double(regions(problem) / count * columns) / Double(region.columns)
  }

  /// Outputs that micro-kernels compute in a region, those between rows counted.
  func positions(_ problem: ConvolutionProblem) -> Int {
    if !isDirect || geometry.isContiguous { return region.pixels }
    return ((region.planes - 1) * geometry.planeRows + region.rows - 1) * geometry.pitch + region.columns
  }

  /// Vectors of the tiles at the end of a region; 0 where all are whole. Rows of open length may be short.
  func rest(_ problem: ConvolutionProblem) -> Int {
    if space.output[2].constant == nil { return tile.vectors > 1 ? 1 : 0 }
    let lanes = problem.device.lanes
    let vectors = (positions(problem) % width(problem) + lanes - 1) / lanes
    return vectors == tile.vectors ? 0 : vectors
  }

  /// Products, loads and stores of what is gathered, and of the copy of the inputs.
  private func operations(_ problem: ConvolutionProblem, width: Int, _ lanes: Int) -> Double {
    let (positions, rest, device) = (positions(problem), rest(problem), problem.device)
    let whole = positions / width
    let products =
      tile.cost(m: filters, n: rest == 0 ? positions : whole * width, device)
      + (rest == 0 ? 0 : GemmTile(rows: tile.rows, vectors: rest).cost(m: filters, n: rest * lanes, device))
    let vectors = Double(positions) / Double(lanes)
    let gathered = isDirect ? 0.1 * vectors : 2 * vectors + Double(region.pixels / region.columns)
    let parts = Double((problem.filtersPerGroup + filters - 1) / filters)
    let copied = Double(geometry.channelStride * problem.channelsPerGroup) / Double(lanes)
    let slower = [1: 2.0, 2: 4.0][space.spans[2].stride] ?? 2.0 * Double(lanes)
    let stored = 4 * Double(filters) * vectors
    let images = Double((problem.batch.constant ?? 1) * problem.groups) * wholeRegions(problem)
    let fetched = Double(problem.steps) * (products * supply(problem, width: width) + gathered)
    return images * (parts * (fetched + stored) + copied * slower)
  }

  /// How much longer products take because inputs are slower: of the second-level cache, where gathered ones do not fit
  /// the first, a vector comes in the time of two and a half products, and so does one in place that two cache lines
  /// share. The latter is no choice where there are but few filters.
  private func supply(_ problem: ConvolutionProblem, width: Int) -> Double {
    func slower(_ rows: Int) -> Double { Swift.max(1, 2.5 / Double(rows)) }
    let own = slower(Swift.min(tile.rows, filters))
    if isDirect { return own / slower(filters) }
    let panel = 4 * channels * problem.taps * width
    return panel <= (problem.device.cacheBytes.first ?? 1 << 15) / 2 ? 1 : own
  }
}

extension ConvolutionProblem {
  /// Products of one output.
  var steps: Int { channelsPerGroup * taps }
}
