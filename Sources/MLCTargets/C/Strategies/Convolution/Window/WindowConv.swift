import MLCCore
import MLCKernels

/// Convolution of plain tensors in two or three dimensions, whatever its groups, and with a weight that may come at run
/// time: vectors run over neighbouring outputs of a filter, weights are broadcast.
///
/// A task copies the inputs of a region of outputs into scratch as float32 with their padding (`WindowGeometry`). From
/// there micro-kernels multiply, either in place or after the inputs of a tile were gathered tap by tap
/// (`WindowPlan`). Sums are float32 and rounded once, when they are stored.
package struct WindowConv: ConvolutionStrategy {
  package static let name = "WindowConv"
  let problem: ConvolutionProblem
  let plan: WindowPlan
  let geometry: WindowGeometry
  let epilogue: WindowEpilogue
  let sizes: SizeSpelling

  /// The most that a worker's scratch may take.
  private static let limit = 1 << 28

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    if let obstacle = WindowConv.obstacle(problem) { throw obstacle }
    self.problem = problem
    epilogue = try WindowEpilogue(problem)
    plan = WindowPlan.best(problem, isFlat: epilogue.isFlat)
    geometry = plan.geometry
    sizes = SizeSpelling(problem.program)
    guard scratch.bytes <= WindowConv.limit else { throw problem.obstacle("its window reaches over too many inputs") }
  }

  /// What is wrong with its tensors: element types, layouts, channels or taps that are not known, nothing to compute.
  static func obstacle(_ problem: ConvolutionProblem) -> Diagnostic? {
    let convolution = problem.convolution
    for tensor in [problem.x, problem.weight] where !tensor.dtype.isVectorFloat {
      return problem.obstacle("'\(tensor.name)' is \(tensor.dtype.rawValue), not fp32, fp16 or bf16")
    }
    for param in problem.kernel.params where problem.program[param.tensor].layout != .plain {
      return problem.obstacle("'\(problem.program[param.tensor].name)' is not plain")
    }
    if problem.compressed != nil { return problem.obstacle("its weight is codes") }
    let extents = problem.output.shape[2...].compactMap(\.constant)
    guard let channels = problem.x.shape[1].constant, let filters = problem.output.shape[1].constant,
      problem.weight.type.staticShape == [filters, channels / problem.groups] + convolution.spans.map(\.kernel)
    else { return problem.obstacle("its channels and taps are not constant") }
    guard channels > 0, filters > 0, extents.allSatisfy({ $0 > 0 }) else {
      return problem.obstacle("it computes nothing")
    }
    let taps = convolution.spans.reduce(1.0) { $0 * Double($1.kernel) }
    let reach = convolution.spans.reduce(1.0) { $0 * Double($1.reach + $1.stride) }
    guard taps <= 65536, reach <= Double(limit) else {
      return problem.obstacle("its window reaches over too many inputs")
    }
    return nil
  }

  /// Two vector operations a cycle.
  var cost: Double { plan.cost / 2 }

  func spell(_ dim: Dim) -> String { sizes.spell(dim) }

  var inputs: WindowInputs { WindowInputs(problem: problem, geometry: geometry, sizes: sizes) }

  /// Outputs of a micro-kernel's tile.
  var width: Int { plan.width(problem) }
  var isChunked: Bool { plan.channels < problem.channelsPerGroup }

  func emit() -> EmittedKernel {
    let label = plan.isDirect ? "shifted" : "gathered"
    return EmittedKernel(
      problem.kernelName("\(label)_\(plan.tile.rows)x\(width)"),
      source: source,
      tasks: tasks,
      scratchBytes: scratch.bytes
    )
  }

  private func source(_ symbol: String) -> CCode {
    let kernels = widths.flatMap { vectors in rowCounts.sorted(by: >).map { microKernel($0, vectors, symbol) } }
    return [
      declarations(symbol), inputs.source(symbol), gather(symbol), line(symbol), weights(symbol), kernels.joined(),
      epilogue.source(symbol), tiles(symbol), .kernel(symbol, scratch: "memory", body(symbol)),
    ]
  }

  // MARK: Scratch

  /// Where the parts of a worker's scratch begin, in floats, and the bytes of all: copied inputs; gathered inputs, or
  /// sums of several rows put together; sums; copied weights.
  var scratch: (gathered: Int, sums: Int, weights: Int, bytes: Int) {
    func rounded(_ floats: Int) -> Int { (floats + 31) / 16 * 16 }
    // Tiles and gathering read past a region's end.
    let inputs = rounded(plan.channels * geometry.channelStride + width)
    let gathered = plan.isDirect ? rounded(2 * width) : rounded((plan.channels * problem.taps + 1) * width)
    let tiles = isChunked ? plan.filters * panels : plan.tile.rows
    let sums = rounded(tiles * width + problem.device.lanes)
    let weights = copiesWeights ? plan.filters * weightStride : 0
    return (inputs, inputs + gathered, inputs + gathered + sums, 4 * (inputs + gathered + sums + weights))
  }

  /// Tiles of outputs in a region.
  var panels: Int { (plan.positions(problem) + width - 1) / width }

  /// Whether a task copies its weights: narrow ones are widened, and rows that evict each other moved apart.
  var copiesWeights: Bool {
    problem.weight.dtype != .float32 || (plan.tile.rows > 4 && problem.steps.isMultiple(of: 128))
  }

  /// Elements from one filter's weights to the next one's, as micro-kernels see them.
  var weightStride: Int {
    guard copiesWeights else { return problem.steps }
    return (plan.channels * problem.taps + 31) / 32 * 32 + 16
  }
}
