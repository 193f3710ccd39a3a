import MLCCore
import MLCKernels

/// Convolution of a blocked input of bfloat16 or bytes in tiles. A task copies the rows that it reads so that the
/// channels of a step lie together, columns and rows that a stride passes over apart: each tap is then a shift, and a
/// tile takes neighbouring outputs of the rows in order, those beside the last column too, which nobody stores.
package struct TileConvNCHWc: ConvolutionStrategy {
  package static let name = "TileConvNCHWc"
  let writer: ConvolutionWriter
  let input: BlockedView
  let panels: ConvolutionPanels
  let phases: TilePhases
  /// Rows of outputs of a task.
  let run: Int

  /// Blocks of filters whose sums two tiles side by side hold.
  private static let vectors = 2

  init(_ given: ConvolutionProblem) throws(Diagnostic) {
    let problem = given.rounded()
    guard let type = problem.tileType, problem.device.multipliesInTiles(type), problem.block == TileShape.words else {
      throw problem.obstacle("its factors are not multiplied in tiles")
    }
    guard problem.device.variant == nil else { throw problem.obstacle("another one is asked for") }
    guard problem.groups == 1, problem.convolution.depth == nil else {
      throw problem.obstacle("its channels are in groups, or it has depth")
    }
    guard let rows = problem.rows.constant, let columns = problem.columns.constant, rows * columns > 0 else {
      throw problem.obstacle("its extents are not known")
    }
    guard !problem.convolution.isWidelyPadded else { throw problem.obstacle("its padding is wider than is stored") }
    writer = try ConvolutionWriter(problem)
    if let obstacle = problem.blockedInputObstacle { throw obstacle }
    input = BlockedView(problem.x)!
    panels = ConvolutionPanels(blocksPerGroup: problem.filterBlocks, groups: 1, vectors: Self.vectors)
    phases = TilePhases(problem.convolution, columns: columns)
    run = Self.run(problem, rows, panels.count, rowBytes: phases.rowBytes * problem.tileChunks)
  }

  /// Copied rows are to stay in half of the last cache, and each core of a large machine is to have a task.
  private static func run(_ problem: ConvolutionProblem, _ rows: Int, _ panels: Int, rowBytes: Int) -> Int {
    let resident = max(1, (problem.device.cacheBytes.last ?? 1 << 20) / 2 / rowBytes)
    let longest = max(1, min(rows, resident, rows * panels * (problem.batch.constant ?? 1) / 16))
    let count = (rows + longest - 1) / longest
    return (rows + count - 1) / count
  }

  var problem: ConvolutionProblem { writer.problem }
  var rows: Int { problem.rows.constant! }
  var columns: Int { problem.columns.constant! }
  var runs: Int { (rows + run - 1) / run }
  /// Blocks of filters of whole panels and, where there is one, of the last.
  var widths: [Int] { (panels.whole > 0 ? [panels.vectors] : []) + (panels.rest > 0 ? [panels.rest] : []) }

  /// Bytes of the rows that a task copies, with those that the last tile reads behind them.
  var copiedBytes: Int { phases.bytes(rows: run) * problem.tileChunks + 2 * TileShape.rows * TilePhases.pixelBytes }
  /// Sums of two tiles by two.
  var sumBytes: Int { 2 * TileShape.rows * panels.vectors * problem.block * 4 }

  /// Products of tiles, or loads where these take longer; sums, which go through memory; copied inputs. Those of bytes
  /// count four times, as those of `TileGemm`.
  var cost: Double {
    let outputs = Double(runs * (phases.positions(rows: run) + TileShape.rows - 1) / TileShape.rows)
    let steps = Double(problem.tileChunks * problem.taps)
    let products = outputs * Double(problem.filterBlocks) * steps * TileShape.productCycles
    let sums = Double(rows * columns * problem.filterBlocks) * 5
    let copied = Double(runs * phases.bytes(rows: run) * problem.tileChunks) / 32
    return Double(problem.batch.constant ?? 1) * (products + sums + copied) * (problem.areBytes ? 4 : 1)
  }

  func emit() -> EmittedKernel {
    let rows = 2 * TileShape.rows
    let factors = problem.factors.map { "\($0.rawValue)_" } ?? ""
    let name = problem.kernelName("tiles_\(factors)\(rows)x\(panels.vectors * problem.block)")
    var packed = writer.epilogue.padded
    packed[problem.convolution.weight] = problem.packed(
      panels.pack(
        problem.tileWords,
        filters: problem.filters,
        channels: problem.tileChunks * TileShape.words,
        taps: problem.taps,
        block: problem.block,
        steps: problem.tileSteps
      )
    )
    var emitted = EmittedKernel(
      name,
      source: source,
      tasks: "\(panels.count * runs)*\(writer.spell(problem.batch))",
      packed: packed,
      scratchBytes: sumBytes + copiedBytes
    )
    emitted.factors = problem.factors
    return emitted
  }
}

extension ConvolutionProblem {
  /// What tiles would multiply; `nil` where its products are of none of their types.
  var tileType: DType? { areBytes ? .int8 : arePairs ? .bfloat16 : nil }

  /// Rows of tiles that the channels of a tap take: two blocks each, four of bytes.
  var tileChunks: Int { (stepsPerGroup + TileShape.words - 1) / TileShape.words }

  /// Chunks of channels outermost, then taps, then the words of a chunk.
  var tileSteps: [ConvolutionPanels.Step] {
    (0..<tileChunks).flatMap { chunk in
      (0..<taps).flatMap { tap in (0..<TileShape.words).map { (channel: chunk * TileShape.words + $0, tap: tap) } }
    }
  }

  /// The weight's words with zeros to the end of the last chunk, `[filters][words][taps]`.
  var tileWords: [Int32] {
    let words = areBytes ? weightWords : weightPairs
    let (row, wide) = (stepsPerGroup * taps, tileChunks * TileShape.words * taps)
    var result = [Int32](repeating: 0, count: filters * wide)
    for filter in 0..<filters {
      result.replaceSubrange(filter * wide..<filter * wide + row, with: words[filter * row..<(filter + 1) * row])
    }
    return result
  }
}
