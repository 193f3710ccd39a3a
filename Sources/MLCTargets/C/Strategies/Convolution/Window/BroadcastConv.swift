import MLCCore
import MLCKernels

/// Convolution of plain tensors by a constant weight: vectors run over filters, inputs are broadcast.
///
/// A task copies the inputs of a region of outputs into scratch as float32 with their padding (`WindowGeometry`), and
/// sums panels of filters from there, output by output; then the sums are turned, and stored filter by filter.
package struct BroadcastConv: ConvolutionStrategy {
  package static let name = "BroadcastConv"
  let problem: ConvolutionProblem
  let plan: BroadcastPlan
  let geometry: WindowGeometry
  let epilogue: WindowEpilogue
  let sizes: SizeSpelling

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    if let obstacle = WindowConv.obstacle(problem) { throw obstacle }
    guard problem.weight.isConstant else { throw problem.obstacle("its weight is not constant") }
    guard problem.groups == 1 else { throw problem.obstacle("its input is plain and grouped") }
    self.problem = problem
    epilogue = try WindowEpilogue(problem)
    let space = WindowSpace(problem, mayMerge: epilogue.isFlat)
    guard let plan = BroadcastPlan.best(problem, space) else { throw problem.obstacle("its sizes are not known") }
    self.plan = plan
    geometry = WindowGeometry(space, plan.region)
    sizes = SizeSpelling(problem.program)
    let limit = problem.device.cacheBytes.last ?? 1 << 18
    guard geometry.channelStride * problem.channels * 4 <= limit else {
      throw problem.obstacle("its window reaches over too many inputs")
    }
  }

  /// Two vector operations a cycle.
  var cost: Double { plan.cost / 2 }

  var inputs: WindowInputs { WindowInputs(problem: problem, geometry: geometry, sizes: sizes) }
  var regions: WindowTasks { WindowTasks(geometry: geometry, sizes: sizes) }
  var parts: Int { (plan.panels.count + plan.panelsPerTask - 1) / plan.panelsPerTask }
  /// Filters of a whole panel.
  var width: Int { plan.tiles[0].width(problem.device) }
  var strips: WeightStrips? { problem.strips(steps: problem.steps) }
  func reader(_ vectors: Int) -> PanelReader { plan.panels.reader(strips, vectors: vectors, block: problem.block) }

  /// Outputs of a filter that are stored at once, and elements from one filter's to the next one's.
  var run: Int { epilogue.isFlat ? plan.region.pixels : plan.region.columns }
  var runStride: Int { (run + problem.block + 15) / 16 * 16 | 16 }

  /// Where the parts of a worker's scratch begin, in floats, and the bytes of all: inputs, sums, and turned sums.
  var scratch: (sums: Int, turned: Int, bytes: Int) {
    func rounded(_ floats: Int) -> Int { (floats + 31) / 16 * 16 }
    // Copies write past a region's end, and turning reads past its sums.
    let inputs = rounded(problem.channels * geometry.channelStride + problem.block)
    let sums = rounded((plan.region.pixels + problem.block) * width)
    return (inputs, inputs + sums, 4 * (inputs + sums + width * runStride))
  }

  func emit() -> EmittedKernel {
    let taps = problem.taps
    let steps = (0..<problem.channels).flatMap { channel in (0..<taps).map { (channel: channel, tap: $0) } }
    return EmittedKernel(
      problem.kernelName("broadcast_\(plan.tiles[0].rows)x\(width)"),
      source: source,
      tasks: sizes.spell(regions.regions * problem.batch * Dim(parts)),
      packed: [problem.convolution.weight: plan.panels.packed(problem, steps)],
      scratchBytes: scratch.bytes
    )
  }
}
