import MLCCore
import MLCKernels

/// Convolution of plain tensors with a weight that comes at run time and a window of many elements, as gradients of
/// weights are: vectors run along the window.
///
/// A task takes some filters of a group and some images. Of one part of the window after the other it copies the
/// weights and what each output reads into scratch, and adds products of vectors to one vector for each filter, image
/// and output. In the end the lanes of these are added up. Sums are float32 and rounded once, when they are stored.
package struct LongWindowConv: ConvolutionStrategy {
  package static let name = "LongWindowConv"
  let problem: ConvolutionProblem
  let space: LongWindowSpace
  let plan: LongWindowPlan
  /// `nil` where sums are stored as they are, filter after filter.
  let epilogue: WindowEpilogue?
  let sizes: SizeSpelling

  /// The most that a worker's scratch may take.
  private static let limit = 1 << 26

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    if let obstacle = LongWindowConv.obstacle(problem) { throw obstacle }
    self.problem = problem
    space = try LongWindowSpace(problem)
    let storesSums = problem.convolution.epilogue == .accumulator && problem.output.dtype == .float32
    epilogue = storesSums ? nil : try WindowEpilogue(problem)
    plan = LongWindowPlan.best(space)
    sizes = SizeSpelling(problem.program)
    guard scratch.bytes <= LongWindowConv.limit else { throw problem.obstacle("rows of its window are too long") }
  }

  /// What is wrong with its tensors: element types, layouts, a weight that is known.
  private static func obstacle(_ problem: ConvolutionProblem) -> Diagnostic? {
    guard problem.weight.dtype == .float32, problem.x.dtype.isVectorFloat else {
      return problem.obstacle("its operands are not fp32, or its input fp16 or bf16")
    }
    for param in problem.kernel.params where problem.program[param.tensor].layout != .plain {
      return problem.obstacle("'\(problem.program[param.tensor].name)' is not plain")
    }
    if problem.weight.isConstant { return problem.obstacle("its weight is constant") }
    let kernel = problem.convolution.spans.map { Dim($0.kernel) }
    guard let filters = problem.output.shape[1].constant, filters > 0, Array(problem.weight.shape[2...]) == kernel,
      problem.x.shape[1] == problem.weight.shape[1] * Dim(problem.groups), problem.x.shape[1] != 0
    else { return problem.obstacle("its filters and taps are not constant") }
    return nil
  }

  /// Two vector operations a cycle.
  var cost: Double { plan.cost / 2 }

  func spell(_ dim: Dim) -> String { sizes.spell(dim) }

  var filterParts: Int { (problem.filtersPerGroup + plan.filters - 1) / plan.filters }
  var imageParts: Int { (space.images + plan.images - 1) / plan.images }
  /// Columns of a task.
  var columns: Int { plan.images * space.taps }

  /// Elements from one filter's or column's part of the window to the next one's: an odd number of cache lines, so that
  /// few of them share a set.
  var pitch: Int { (plan.depth + problem.block + 15) / 16 * 16 | 16 }

  /// Where the parts of a worker's scratch begin, in floats, and the bytes of all: vectors of sums; weights; inputs;
  /// sums of a filter and an image.
  var scratch: (filters: Int, inputs: Int, sums: Int, bytes: Int) {
    let lanes = problem.block
    let filters = (columns * plan.filters + lanes) * lanes
    let inputs = filters + plan.filters * pitch
    let sums = inputs + columns * pitch
    return (filters, inputs, sums, 4 * (sums + (space.taps + 2 * lanes) / lanes * lanes))
  }

  func emit() -> EmittedKernel {
    let label = space.isContiguous ? "rows" : "windows"
    return EmittedKernel(
      problem.kernelName("long_\(label)_\(plan.rows)x\(plan.columns)"),
      source: source,
      tasks: "\(problem.groups * filterParts * imageParts)",
      scratchBytes: scratch.bytes
    )
  }

  private func source(_ symbol: String) -> CCode {
    let kernels = rowCounts.sorted(by: >).flatMap { rows in
      columnCounts.sorted(by: >).map { microKernel(rows, $0, symbol) }
    }
    return [
      gather(symbol), kernels.joined(), tiles(symbol), epilogue?.source(symbol) ?? [], finish(symbol),
      .kernel(symbol, scratch: "memory", body(symbol)),
    ]
  }
}
