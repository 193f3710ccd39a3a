import MLCCore
import MLCKernels

/// Depthwise convolution of a blocked input, one filter a channel: vectors run over channels, and a tile of
/// neighbouring outputs shares the inputs it loads. Of bytes each step multiplies four neighbouring columns.
package struct DepthwiseConv: ConvolutionStrategy {
  package static let name = "DepthwiseConv"
  let writer: ConvolutionWriter
  let input: BlockedView
  let panels: ConvolutionPanels
  /// Outputs of a tile.
  let width: Int
  /// Set when the weight is kept as codes, of which each task expands a block.
  let codes: ConvolutionCodes?

  var problem: ConvolutionProblem { writer.problem }
  var convolution: Convolution { problem.convolution }

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    writer = try ConvolutionWriter(problem)
    guard !problem.areBytes || problem.convolution.dilations.w == 1 else {
      throw problem.obstacle("it multiplies bytes with gaps between them")
    }
    guard problem.groups == problem.channels, problem.filters == problem.channels else {
      throw problem.obstacle("it is not depthwise with one filter a channel")
    }
    if let obstacle = problem.blockedInputObstacle { throw obstacle }
    input = BlockedView(problem.x)!
    width = DepthwiseConv.width(problem)
    panels = ConvolutionPanels(blocksPerGroup: problem.filterBlocks, groups: 1, vectors: 1)
    let grid = panels.grid(problem, DepthwiseConv.steps(problem))
    codes = try ConvolutionCodes(problem, grid, floats: problem.taps * problem.block)
  }

  private static func steps(_ problem: ConvolutionProblem) -> [ConvolutionPanels.Step] {
    (0..<problem.taps / problem.convolution.kernel.w * rowSteps(problem)).map { (channel: 0, tap: $0) }
  }

  /// Steps of one row of taps.
  static func rowSteps(_ problem: ConvolutionProblem) -> Int {
    problem.areBytes ? (problem.convolution.kernel.w + 3) / 4 : problem.convolution.kernel.w
  }
  var steps: Int { problem.taps / convolution.kernel.w * DepthwiseConv.rowSteps(problem) }

  /// The width of at most 8, 4 with few registers, that covers a row with the least work.
  private static func width(_ problem: ConvolutionProblem) -> Int {
    let most = problem.device.vectorRegisters >= 32 ? 8 : 4
    guard let columns = problem.columns.constant, columns > 0 else { return most }
    func cost(_ width: Int) -> Int {
      let rest = columns % width
      return columns / width * (Swift.max(width, 4) + 2) + (rest == 0 ? 0 : Swift.max(rest, 4) + 2)
    }
    return (1...Swift.min(most, columns)).min { (cost($0), -$0) < (cost($1), -$1) }!
  }

  var cost: Double {
    let outputs =
      (problem.rows.constant ?? 64) * (problem.columns.constant ?? 64) * (problem.batch.constant ?? 1)
      * (problem.planes.constant ?? 64)
    return Double(outputs * problem.filterBlocks) * (Double(problem.taps) / 2 + 2)
  }

  func emit() -> EmittedKernel {
    var packed = writer.epilogue.padded
    packed[convolution.weight] = codes?.panels.packed ?? packedWeight
    return EmittedKernel(
      problem.kernelName("depthwise_\(codes.map { $0.panels.label + "_" } ?? "")\(width)x\(problem.block)"),
      source: source,
      tasks: writer.spell(tasks.count),
      packed: packed,
      scratchBytes: codes?.scratchBytes ?? 0
    )
  }

  private var packedWeight: Tensor {
    let order = DepthwiseConv.steps(problem)
    return problem.areBytes
      ? panels.packed(problem, order, words: problem.rowWords, perFilter: steps) : panels.packed(problem, order)
  }

  var tasks: ConvolutionTasks {
    let width = problem.columns.constant ?? 64
    let products = width * problem.taps * problem.block
    return ConvolutionTasks(
      panels: problem.filterBlocks,
      batch: problem.batch,
      planes: convolution.depth == nil ? nil : problem.planes,
      extent: problem.rows,
      step: 1,
      load: .init(products: products, inputBytes: 0, weightBytes: 0),
      cache: 1,
      work: 1 << 18
    )
  }
}
