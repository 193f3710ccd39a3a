import MLCCore
import MLCKernels

/// Convolution of a blocked input without transform: each micro-kernel keeps a tile of outputs in registers through the
/// whole reduction, broadcasting inputs and streaming a panel's weights.
package struct DirectConvNCHWc: ConvolutionStrategy {
  package static let name = "DirectConvNCHWc"
  let writer: ConvolutionWriter
  let input: BlockedView
  let panels: ConvolutionPanels
  let grid: Grid
  private let outputs: ConvolutionGrid
  /// Set when the weight is kept as codes, of which each task expands a panel.
  let codes: ConvolutionCodes?

  /// The outputs as the tiles see them: rows are one long row when neither side has a halo and an output reads what
  /// lies at its own row and column; planes are parts of it, and none are counted, when it reads one input.
  struct Grid {
    let planes: Dim?, rows: Dim, columns: Dim, isFlat: Bool
  }

  init(_ given: ConvolutionProblem) throws(Diagnostic) {
    let problem = given.rounded()
    let writer = try ConvolutionWriter(problem)
    if let obstacle = problem.blockedInputObstacle { throw obstacle }
    let grouped = problem.groups > 1
    guard !grouped || problem.channelsPerGroup % problem.block == 0 && problem.filtersPerGroup % problem.block == 0
    else { throw problem.obstacle("its groups are not of whole blocks of channels") }
    input = BlockedView(problem.x)!
    grid = DirectConvNCHWc.grid(writer, input)
    outputs = DirectConvNCHWc.outputs(problem, grid)
    self.writer = writer
    let blocks = grouped ? problem.filtersPerGroup / problem.block : problem.filterBlocks
    let shared = problem.blocksPerRegister
    let tile = ConvolutionTiling.best(outputs, blocks: (blocks + shared - 1) / shared)
    let wanted = (1...Swift.max(1, blocks)).first { DirectConvNCHWc.variant($0) == problem.device.variant }
    panels = ConvolutionPanels(
      blocksPerGroup: blocks,
      groups: problem.groups,
      vectors: wanted ?? min(tile.vectors * shared, max(blocks, 1))
    )
    codes = try ConvolutionCodes(
      problem,
      panels.grid(problem, DirectConvNCHWc.reductionSteps(problem)),
      floats: panels.vectors * problem.block * problem.channelsPerGroup * problem.taps
    )
  }

  private static func grid(_ writer: ConvolutionWriter, _ input: BlockedView) -> Grid {
    let problem = writer.problem
    let convolution = problem.convolution
    let isPoint = convolution.spans.map { $0.kernel == 1 && $0.stride == 1 && $0.low == 0 && $0.high == 0 }
    let isFlat =
      isPoint.suffix(2).allSatisfy { $0 } && !input.hasHalo && !writer.out.hasHalo
      && writer.epilogue.isFlat(columns: problem.columns)
    let planes = convolution.depth == nil ? nil : problem.planes
    guard isFlat else { return Grid(planes: planes, rows: problem.rows, columns: problem.columns, isFlat: false) }
    let plane = problem.rows * problem.columns
    return isPoint[0] && writer.epilogue.isFlat(rows: problem.rows)
      ? Grid(planes: nil, rows: 1, columns: problem.planes * plane, isFlat: true)
      : Grid(planes: planes, rows: 1, columns: plane, isFlat: true)
  }

  /// The most columns of a tile of which some meet the input where others meet wide padding.
  private static func widest(_ convolution: Convolution) -> Int? {
    convolution.isWidelyPadded ? Convolution.widestHalo / convolution.strides.w + 1 : nil
  }

  private static func outputs(_ problem: ConvolutionProblem, _ grid: Grid) -> ConvolutionGrid {
    ConvolutionGrid(
      rows: grid.rows.constant,
      columns: grid.columns.constant,
      weights: WeightSupply(steps: problem.stepsPerGroup * problem.taps, device: problem.device),
      held: problem.heldWeights,
      widest: widest(problem.convolution)
    )
  }

  func tile(_ vectors: Int) -> ConvolutionTile {
    var tile = tiling(vectors).tile
    tile.vectors = vectors
    return tile
  }

  private func tiling(_ vectors: Int) -> ConvolutionTiling {
    let shared = writer.problem.blocksPerRegister
    return ConvolutionTiling(outputs, vectors: (vectors + shared - 1) / shared)
  }

  var tiles: [ConvolutionTile] {
    (panels.whole > 0 ? [tile(panels.vectors)] : []) + (panels.rest > 0 ? [tile(panels.rest)] : [])
  }

  var cost: Double {
    let problem = writer.problem
    let panel = tiles.map { tile in
      tiling(tile.vectors).cost * Double(tile.vectors == panels.vectors ? panels.whole : 1)
    }
    return panel.reduce(0, +) * Double(problem.groups * problem.stepsPerGroup) * tapsOfTile
      * Double(problem.batch.constant ?? 1) * Double(grid.planes.map { $0.constant ?? 64 } ?? 1)
      * (problem.arePairs ? problem.device.pairTimes ?? 1 : 1)
  }

  func emit() -> EmittedKernel {
    let problem = writer.problem
    let tasks = self.tasks
    let main = tiles[0]
    let factors = problem.factors.map { "\($0.rawValue)_" } ?? codes.map { $0.panels.label + "_" } ?? ""
    let name = problem.kernelName("direct_\(factors)\(main.pixels)x\(main.vectors * problem.block)")
    var packed = writer.epilogue.padded
    packed[problem.convolution.weight] =
      codes?.panels.packed ?? panels.packed(problem, DirectConvNCHWc.reductionSteps(problem))
    var emitted = EmittedKernel(
      name,
      source: source,
      tasks: writer.spell(tasks.count),
      packed: packed,
      scratchBytes: codes?.scratchBytes ?? 0
    )
    emitted.factors = problem.factors
    return emitted
  }

  /// Input channels of a chunk: a block, or what of a strip's width lies in several blocks. With one tap the order is
  /// the same.
  static func chunk(_ problem: ConvolutionProblem) -> Int {
    problem.taps == 1 ? problem.block : problem.strip ?? problem.block
  }

  /// Chunks of channels outermost, then taps, then the channels of a chunk, or fours of them.
  static func reductionSteps(_ problem: ConvolutionProblem) -> [ConvolutionPanels.Step] {
    let (channels, block) = (problem.stepsPerGroup, chunk(problem) / problem.channelsPerStep)
    return stride(from: 0, to: channels, by: block).flatMap { first in
      (0..<problem.taps).flatMap { tap in
        (first..<Swift.min(channels, first + block)).map { (channel: $0, tap: tap) }
      }
    }
  }

  func border(_ symbol: String) -> ConvolutionBorder {
    writer.border(symbol, rows: grid.rows, columns: grid.columns)
  }

  var tasks: ConvolutionTasks {
    let problem = writer.problem
    let step = tiles.map { grid.isFlat ? $0.columns : $0.rows }.reduce(1, leastCommonMultiple)
    let width = grid.isFlat ? 1 : grid.columns.constant ?? 64
    let bytes = problem.x.dtype.bitWidth / 8
    let (kernel, strides) = (problem.convolution.kernel, problem.convolution.strides)
    // Inputs that one row of outputs reads and the next one does not.
    let inputs = problem.channelsPerGroup * width * Swift.min(strides.h, kernel.h) * strides.w * problem.depthTaps
    let load = ConvolutionTasks.Load(
      products: problem.stepsPerGroup * problem.taps * tiles[0].vectors * problem.block * width,
      // A panel is expanded once when the tasks that share it follow each other.
      inputBytes: codes == nil ? inputs * bytes : 0,
      weightBytes: problem.filters * problem.stepsPerGroup * problem.taps * weightBytes
    )
    return ConvolutionTasks(
      panels: panels.count,
      batch: problem.batch,
      planes: grid.planes,
      extent: grid.isFlat ? grid.columns : grid.rows,
      step: step,
      load: load,
      cache: problem.device.cacheBytes.last ?? 1 << 20
    )
  }
}

func leastCommonMultiple(_ a: Int, _ b: Int) -> Int { a / greatestCommonDivisor(a, b) * b }
