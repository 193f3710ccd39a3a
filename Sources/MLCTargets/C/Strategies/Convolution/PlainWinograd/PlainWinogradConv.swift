import MLCCore
import MLCKernels

/// Convolution of plain tensors by 3×3 filters that come at run time, without strides and gaps, by Winograd's minimal
/// filtering (`WinogradTransform`): vectors run over neighbouring tiles, transformed filters are broadcast.
///
/// A task transforms some of the filters, and then, a group of images or their parts after the other, what their tiles
/// read; multiplies, and transforms back, a few filters at a time. Sums are float32 and rounded once, when they are
/// stored. Results differ from a direct sum's by a few times its rounding error; an infinite input makes every output
/// of its tile NaN.
package struct PlainWinogradConv: ConvolutionStrategy {
  package static let name = "PlainWinogradConv"
  let problem: ConvolutionProblem
  let plan: PlainWinogradPlan
  let epilogue: WindowEpilogue
  let sizes: SizeSpelling

  /// The most that a worker's scratch may take.
  private static let limit = 1 << 26

  var transform: WinogradTransform { plan.transform }

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    if problem.device.avoidsWinograd == true { throw problem.obstacle("it would take more memory") }
    if let obstacle = WindowConv.obstacle(problem) { throw obstacle }
    if let reason = PlainWinogradConv.refusal(problem) { throw problem.obstacle(reason) }
    self.problem = problem
    epilogue = try WindowEpilogue(problem)
    sizes = SizeSpelling(problem.program)
    plan = PlainWinogradPlan.best(problem)
    guard scratch.floats * 4 <= Self.limit else { throw problem.obstacle("it has too many channels") }
  }

  /// What of the window, the weight or the result is not as it has to be.
  private static func refusal(_ problem: ConvolutionProblem) -> String? {
    let convolution = problem.convolution
    guard convolution.depth == nil, convolution.kernel == .init(3, 3), convolution.strides == .init(1, 1),
      convolution.dilations == .init(1, 1)
    else { return "its filters are not of 3×3 without strides and gaps" }
    if problem.groups > 1 { return "it is grouped" }
    if problem.weight.isConstant || problem.weight.dtype != .float32 { return "its weight is none of the run's" }
    // Where sums are compared or rounded, those that direct ones meet exactly would go to either side.
    return problem.output.dtype.isFloat ? nil : "its epilogue decides by the last bit"
  }

  var cost: Double { plan.cost }

  func spell(_ dim: Dim) -> String { sizes.spell(dim) }

  func emit() -> EmittedKernel {
    EmittedKernel(
      problem.kernelName("winograd_f\(transform.outputs)_\(plan.tile.rows)x\(plan.width)"),
      source: source,
      tasks: tasks,
      scratchBytes: scratch.floats * 4
    )
  }

  private func source(_ symbol: String) -> CCode {
    let kernels = widths.flatMap { vectors in rowCounts.sorted(by: >).map { microKernel($0, vectors, symbol) } }
    return [
      inputs(symbol), filters(symbol), kernels.joined(), outputs(symbol), epilogue.source(symbol), products(symbol),
      .kernel(symbol, scratch: "memory", body(symbol)),
    ]
  }

  // MARK: Scratch

  /// Where the parts of a worker's scratch begin, in floats: a row of inputs; those of a channel's tiles; transformed
  /// inputs, transformed filters, products and outputs of a few filters.
  var scratch: (phases: Int, inputs: Int, filters: Int, products: Int, outputs: Int, floats: Int) {
    func rounded(_ floats: Int) -> Int { (floats + 31) / 16 * 16 }
    let (lanes, size) = (problem.device.lanes, transform.outputs)
    let phases = rounded(plan.lineLength + size * lanes)
    let inputs = phases + rounded(size * size * plan.phaseStride + lanes)
    let filters = inputs + rounded(transform.products * inputStep + plan.width)
    let products = filters + rounded(transform.products * filterStep)
    let outputs = products + rounded(transform.products * productStep + plan.width)
    return (phases, inputs, filters, products, outputs, outputs + rounded(size * outputStep))
  }

  /// Elements from one filter's channels to the next one's, and from one row of a tile's outputs to the next one.
  var filterLength: Int { (problem.channels + 31) / 32 * 32 + 16 }
  var outputStep: Int { (plan.tileStep + problem.device.lanes) * transform.outputs }
  /// Elements from one product's part to the next one's, an odd number of cache lines.
  var inputStep: Int { problem.channels * plan.tileStep | 16 }
  var filterStep: Int { plan.filters * filterLength | 16 }
  var productStep: Int { plan.tile.rows * plan.tileStep | 16 }
}
