import MLCCore
import MLCKernels

/// How a convolution by `transform` is blocked: groups of tiles, whose inputs are transformed once and then multiplied
/// by the filters of one chunk after the other. The cheapest of the blockings that it tries.
struct WinogradPlan {
  let transform: WinogradTransform
  let panels: ConvolutionPanels
  /// Tiles of a group, and panels of a chunk.
  let groupTiles: Int, chunkPanels: Int
  /// The micro-kernel's tiles: one for whole panels, and one for the narrower last one.
  let tiles: [ConvolutionTile]
  /// Cycles on one core, and what the memory for weights is worth.
  let cost: Double

  var chunks: Int { (panels.perGroup + chunkPanels - 1) / chunkPanels }
  /// Blocks of filters in a chunk, the last chunk's at most.
  var chunkBlocks: Int { Swift.min(chunkPanels * panels.vectors, panels.blocksPerGroup) }

  /// What sizes not known are taken as.
  private static let usualExtent = 64
  /// Work that is worth dividing. It counts as the geometric mean of what one thread takes and what two take that
  /// wait for each other in the end.
  private static let divisibleCycles = 1e5

  init(_ problem: ConvolutionProblem, _ transform: WinogradTransform) {
    let count = WinogradPlan.tiles(problem, transform)
    var best: WinogradPlan?
    for size in Set(WinogradPlan.sizes.map { WinogradPlan.even(count, most: $0) }).sorted() {
      for plan in WinogradPlan.plans(problem, transform, count: count, size: size)
      where best.map({ plan.cost < $0.cost }) ?? true { best = plan }
    }
    self = best!
  }

  /// A convolution whose weights take so many bytes more than a direct one's has to be twice as fast.
  private static let dearBytes = Double(1 << 24)
  /// About how many tiles a group may have: one to a few micro-kernels' rows.
  private static let sizes = [6, 12, 14, 18, 24, 28, 42, 56, 84, 112]

  /// The size of equal groups of at most `most` tiles.
  private static func even(_ count: Int, most: Int) -> Int {
    let groups = (count + most - 1) / most
    return (count + groups - 1) / groups
  }

  /// Tiles of all planes of all images.
  private static func tiles(_ problem: ConvolutionProblem, _ transform: WinogradTransform) -> Int {
    let dilations = problem.convolution.dilations
    func along(_ extent: Dim, _ dilation: Int) -> Int {
      let step = transform.outputs * dilation
      return ((extent.constant ?? usualExtent) + step - 1) / step * dilation
    }
    let pictures = Swift.max(1, problem.batch.constant ?? 1) * Swift.max(1, problem.planes.constant ?? usualExtent)
    return pictures * Swift.max(1, along(problem.rows, dilations.h))
      * Swift.max(1, along(problem.columns, dilations.w))
  }

  private static func plans(
    _ problem: ConvolutionProblem,
    _ transform: WinogradTransform,
    count: Int,
    size: Int
  ) -> [WinogradPlan] {
    let weights = WeightSupply(steps: problem.channels, device: problem.device)
    let outputs = ConvolutionGrid(rows: 1, columns: size, weights: weights)
    let vectors = ConvolutionTiling.best(outputs, blocks: problem.filterBlocks).vectors
    let panels = ConvolutionPanels(blocksPerGroup: problem.filterBlocks, groups: 1, vectors: vectors)
    let tilings = [panels.whole > 0 ? vectors : 0, panels.rest].filter { $0 > 0 }.map {
      ConvolutionTiling(outputs, vectors: $0)
    }
    let groups = Double((count + size - 1) / size)
    let products =
      zip(tilings, panels.whole > 0 ? [panels.whole, 1] : [1]).map { $0.cost * Double($1) }.reduce(0, +)
      * Double(problem.depthTaps * problem.channels * transform.products) * groups
    return (1...panels.perGroup).reversed().compactMap { chunkPanels in
      let chunks = (panels.perGroup + chunkPanels - 1) / chunkPanels
      // The same number of chunks by fewer panels is more even.
      if chunkPanels > 1, (panels.perGroup + chunkPanels - 2) / (chunkPanels - 1) == chunks { return nil }
      let traffic = Traffic(problem, transform, count: count, size: size, chunks: chunks)
      var cost = Swift.max(products, traffic.weights) + traffic.between + traffic.transforms
      cost *= 1 + traffic.extraBytes / dearBytes
      let tasks = groups * Double(chunks)
      if cost > divisibleCycles { cost *= (2 * (tasks / 2).rounded(.up) / tasks).squareRoot() }
      return WinogradPlan(
        transform: transform,
        panels: panels,
        groupTiles: size,
        chunkPanels: chunkPanels,
        tiles: tilings.map(\.tile),
        cost: cost
      )
    }
  }

  private init(
    transform: WinogradTransform,
    panels: ConvolutionPanels,
    groupTiles: Int,
    chunkPanels: Int,
    tiles: [ConvolutionTile],
    cost: Double
  ) {
    (self.transform, self.panels, self.tiles, self.cost) = (transform, panels, tiles, cost)
    (self.groupTiles, self.chunkPanels) = (groupTiles, chunkPanels)
  }

  /// Cycles besides the products' own.
  private struct Traffic {
    /// Weights that come from beyond the second-level cache: they arrive while others are multiplied.
    let weights: Double
    /// Transformed inputs and products that do not stay in that cache between the one that writes and who reads them.
    let between: Double
    /// By which the weights are larger than a direct convolution's.
    let extraBytes: Double
    /// Both transforms' loads, stores and sums, a vector each.
    let transforms: Double

    /// Bytes a cycle from beyond the second-level cache.
    private static let rate = 8.0

    init(_ problem: ConvolutionProblem, _ transform: WinogradTransform, count: Int, size: Int, chunks: Int) {
      let cache = Double(problem.device.cacheBytes.last ?? 1 << 20)
      let channels = Double(problem.depthTaps * problem.channels)
      let filters = Double(problem.filterBlocks * problem.block)
      let element = Double(transform.products * 4)
      let groups = Double((count + size - 1) / size)
      let all = element * channels * filters
      extraBytes = all - Double(problem.taps / problem.depthTaps * 4) * channels * filters
      weights = all > cache / 2 ? all * groups / Traffic.rate : 0
      let inputs = element * Double(size) * channels
      let results = element * Double(size) * filters / Double(chunks)
      let moved =
        (inputs > cache / 2 ? inputs * (1 + Double(chunks)) : 0)
        + (results > cache / 4 ? 2 * results * Double(chunks) : 0)
      between = moved * groups / Traffic.rate
      let channelBlocks = Double(problem.depthTaps) * (Double(problem.channels) / Double(problem.block)).rounded(.up)
      // Two workers that share a group both transform its inputs.
      let inputVectors = channelBlocks * (chunks > 1 ? 1.5 : 1)
      transforms = 3.5 * Double(transform.products * count) * (inputVectors + filters / Double(problem.block))
    }
  }
}
