import MLCCore
import MLCKernels

/// Convolution of a plain input with few channels, as first layers are: each task copies the inputs of a rectangle of
/// outputs into scratch, padding included, and computes every panel of channels from there.
package struct StemConv: ConvolutionStrategy {
  package static let name = "StemConv"
  let writer: ConvolutionWriter
  let panels: ConvolutionPanels
  /// Outputs of a task, and the inputs they read.
  let rows: Int, columns: Int
  /// Set when the weight is kept as codes, which a worker expands before its first task.
  let codes: ConvolutionCodes?
  var windowRows: Int { (rows - 1) * convolution.strides.h + reach.h }
  var windowColumns: Int { (columns - 1) * convolution.strides.w + reach.w }
  /// Planes of a window, `[channel][plane of taps]`.
  var windowPlanes: Int { problem.channels * problem.depthTaps }
  var windowElements: Int { windowPlanes * windowRows * windowColumns }

  var problem: ConvolutionProblem { writer.problem }
  var convolution: Convolution { problem.convolution }
  /// Inputs from the first tap to the last.
  private var reach: Convolution.Pair { StemConv.reach(convolution) }
  private static func reach(_ c: Convolution) -> Convolution.Pair {
    .init((c.kernel.h - 1) * c.dilations.h + 1, (c.kernel.w - 1) * c.dilations.w + 1)
  }

  /// The most a window may take: it shares the second-level cache with weights and outputs.
  private static let windowLimit = 1 << 20

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    writer = try ConvolutionWriter(problem)
    if let obstacle = problem.bytesObstacle { throw obstacle }
    guard problem.x.layout == .plain else { throw problem.obstacle("its input is not plain") }
    guard problem.groups == 1 else { throw problem.obstacle("its input is plain and grouped") }
    let best = ConvolutionTiling.best(StemConv.outputs(problem), blocks: problem.filterBlocks)
    panels = ConvolutionPanels(blocksPerGroup: problem.filterBlocks, groups: 1, vectors: best.vectors)
    let step = StemConv.tiles(problem, panels).map(\.columns).reduce(1, leastCommonMultiple)
    (rows, columns) = StemConv.rectangle(problem, step: step)
    codes = try ConvolutionCodes(
      problem,
      panels.grid(problem, StemConv.reductionSteps(problem)),
      floats: problem.filterBlocks * problem.block * problem.channels * problem.taps
    )
    guard windowElements * 4 <= StemConv.windowLimit else { throw problem.obstacle("its input has too many channels") }
  }

  private static func tiles(_ problem: ConvolutionProblem, _ panels: ConvolutionPanels) -> [ConvolutionTile] {
    [panels.whole > 0 ? panels.vectors : 0, panels.rest].filter { $0 > 0 }.map {
      ConvolutionTiling(outputs(problem), vectors: $0).tile
    }
  }

  /// A row of outputs.
  private static func outputs(_ problem: ConvolutionProblem) -> ConvolutionGrid {
    let weights = WeightSupply(steps: problem.channels * problem.taps, device: problem.device)
    return ConvolutionGrid(rows: 1, columns: problem.columns.constant, weights: weights)
  }

  var tiles: [ConvolutionTile] { StemConv.tiles(problem, panels) }

  /// Outputs whose window is about the size of the first-level cache: up to 8 rows of up to 128 columns.
  private static func rectangle(_ problem: ConvolutionProblem, step: Int) -> (rows: Int, columns: Int) {
    let (convolution, reach) = (problem.convolution, reach(problem.convolution))
    func bytes(_ rows: Int, _ columns: Int) -> Int {
      let (down, across) = (
        (rows - 1) * convolution.strides.h + reach.h, (columns - 1) * convolution.strides.w + reach.w
      )
      return problem.channels * problem.depthTaps * down * across * 4
    }
    let known = problem.columns.constant ?? .max
    var columns = step
    while columns < 128, columns < known, bytes(1, columns + step) <= 1 << 15 { columns += step }
    var rows = 1
    while rows < 8, rows < problem.rows.constant ?? .max, bytes(rows + 1, columns) <= 1 << 16 { rows += 1 }
    return (rows, columns)
  }

  /// Computing, and copying each input once.
  var cost: Double {
    let pictures = (problem.batch.constant ?? 1) * (problem.planes.constant ?? 64)
    let outputs = Double((problem.rows.constant ?? 64) * (problem.columns.constant ?? 64))
    let steps = outputs / Double(tiles[0].columns) * Double(problem.channels * problem.taps * panels.count)
    let (tile, weights) = (tiles[0], StemConv.outputs(problem).weights)
    let step = ConvolutionTiling.cycles(pixels: tile.columns, vectors: tile.vectors, weights)
    return (steps * step + outputs * Double(windowPlanes)) * Double(pictures)
  }

  /// The window, and what is left of its last cache line.
  var windowBytes: Int { (windowElements * 4 + 63) / 64 * 64 }

  private static func reductionSteps(_ problem: ConvolutionProblem) -> [ConvolutionPanels.Step] {
    (0..<problem.channels).flatMap { channel in (0..<problem.taps).map { (channel: channel, tap: $0) } }
  }

  func emit() -> EmittedKernel {
    let main = tiles[0]
    var packed = writer.epilogue.padded
    packed[convolution.weight] = codes?.panels.packed ?? panels.packed(problem, StemConv.reductionSteps(problem))
    let across = problem.columns.ceilDiv(Dim(columns))
    return EmittedKernel(
      problem.kernelName(
        "stem_\(codes.map { $0.panels.label + "_" } ?? "")\(main.pixels)x\(main.vectors * problem.block)"
      ),
      source: source,
      tasks: writer.spell(problem.batch * problem.planes * problem.rows.ceilDiv(Dim(rows)) * across),
      packed: packed,
      scratchBytes: windowBytes + (codes?.scratchBytes ?? 0)
    )
  }
}
