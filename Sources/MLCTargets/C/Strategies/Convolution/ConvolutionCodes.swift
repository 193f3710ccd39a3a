import MLCCore
import MLCKernels

/// A convolution's weight kept as codes: panels of it are expanded into scratch, in the order of `ConvolutionPanels`,
/// before the micro-kernels read them.
struct ConvolutionCodes {
  let panels: CompressedPanels
  let scratchBytes: Int
  private let param: Int, lanes: Int

  /// The most that expanded weights may take of a worker's scratch.
  private static let limit = 1 << 23

  /// `nil` for a plain weight. Throws when its codes do not fit the strategy; `floats` is how many are expanded at
  /// once.
  init?(_ problem: ConvolutionProblem, _ grid: @autoclosure () -> WeightGrid, floats: Int) throws(Diagnostic) {
    guard let constant = problem.compressed else { return nil }
    guard let panels = CompressedPanels(constant, grid(), lanes: problem.block) else {
      throw problem.obstacle("its codes are cut into blocks that vectors do not follow")
    }
    guard floats * 4 <= ConvolutionCodes.limit else {
      throw problem.obstacle("its codes are too many to expand at once")
    }
    (self.panels, lanes) = (panels, problem.block)
    (param, scratchBytes) = (problem.convolution.weight, floats * 4)
  }

  private func expand(_ panel: String, _ vector: String, _ vectors: String, to target: String, _ symbol: String)
    -> String
  {
    panels.expand(
      "buffers[\(param)]",
      panel: panel,
      vector: vector,
      vectors: vectors,
      first: "0",
      count: "\(panels.steps)",
      to: target,
      symbol
    )
  }

  /// Statements that declare `w`, the weights of `panel`, and expand them unless `expanded` is that panel.
  func expansion(of panel: String, firstVector: String, vectors: String, _ symbol: String) -> CCode {
    """
    const float *w = (const float *)(void *)scratch;
    if (\(panel) != expanded)
      \(expand(panel, firstVector, vectors, to: "(float *)(void *)scratch", symbol))
    expanded = \(panel);
    """
  }

  /// Statements that expand all of `order` to `target`.
  func expansion(ofPanels order: ConvolutionPanels, to target: String, _ symbol: String) -> CCode {
    func call(_ panel: String, _ vector: String, _ width: Int) -> String {
      expand(panel, vector, "\(width)", to: "\(target) + \(vector) * \(panels.steps * lanes)", symbol)
    }
    let whole: CCode = """
      for (int64_t panel = 0; panel < \(order.whole); panel++)
        \(call("panel", "panel * \(order.vectors)", order.vectors))
      """
    let rest = call("\(order.whole)", "\(order.whole * order.vectors)", order.rest)
    return (order.whole > 0 ? whole : []) + (order.rest > 0 ? CCode(rest) : [])
  }
}

extension ConvolutionPanels {
  func grid(_ problem: ConvolutionProblem, _ steps: [Step]) -> WeightGrid {
    grid(
      filters: problem.filters,
      channels: problem.stepsPerGroup,
      taps: problem.taps,
      block: problem.block,
      steps: steps
    )
  }

  /// A plain weight in this order, or in strips.
  func packed(_ problem: ConvolutionProblem, _ steps: [Step]) -> Tensor {
    if problem.areBytes || problem.arePairs {
      let words = problem.areBytes ? problem.weightWords : problem.weightPairs
      return packed(problem, steps, words: words, perFilter: problem.stepsPerGroup * problem.taps)
    }
    let (panels, block) = order(problem)
    return problem.packed(
      panels.pack(
        problem.weightValues,
        filters: problem.filters,
        channels: problem.channelsPerGroup,
        taps: problem.taps,
        block: block,
        steps: steps
      )
    )
  }

  /// `perFilter` words of a weight for each filter, where a step's channel counts rows of `problem.taps` of them, in
  /// this order, or in strips.
  func packed(_ problem: ConvolutionProblem, _ steps: [Step], words: [Int32], perFilter: Int) -> Tensor {
    let (panels, block) = order(problem)
    let flat = steps.map { (channel: 0, tap: $0.channel * problem.taps + $0.tap) }
    return problem.packed(
      panels.pack(words, filters: problem.filters, channels: 1, taps: perFilter, block: block, steps: flat)
    )
  }

  /// The panels that plain weights lie in, and their blocks.
  private func order(_ problem: ConvolutionProblem) -> (ConvolutionPanels, Int) {
    guard let strip = problem.strip else { return (self, problem.block) }
    return (ConvolutionPanels(blocksPerGroup: (problem.filters + strip - 1) / strip, groups: 1, vectors: 1), strip)
  }
}
