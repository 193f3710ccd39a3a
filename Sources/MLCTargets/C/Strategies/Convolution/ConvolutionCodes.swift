import MLCCore
import MLCKernels

/// A convolution's weight kept as codes: panels of it are expanded into scratch, in the order of `ConvolutionPanels`, before the
/// micro-kernels read them.
struct ConvolutionCodes {
  let format: CodeFormat
  let scratchBytes: Int
  private let constant: CompressedConstant, grid: WeightGrid, blocks: CodeBlocks
  private let param: Int

  /// The most that expanded weights may take of a worker's scratch.
  private static let limit = 1 << 23

  /// `nil` for a plain weight. Throws when its codes do not fit the strategy; `floats` is how many are expanded at once.
  init?(_ problem: ConvolutionProblem, _ grid: @autoclosure () -> WeightGrid, floats: Int) throws(Diagnostic) {
    guard let constant = problem.compressed else { return nil }
    let grid = grid()
    guard let (format, blocks) = CodeFormat.choose(constant, grid, lanes: problem.block) else {
      throw problem.obstacle("its codes are cut into blocks that vectors do not follow")
    }
    guard floats * 4 <= ConvolutionCodes.limit else {
      throw problem.obstacle("its codes are too many to expand at once")
    }
    (self.format, self.blocks, self.constant, self.grid) = (format, blocks, constant, grid)
    (param, scratchBytes) = (problem.convolution.weight, floats * 4)
  }

  var packed: Tensor { format.pack(constant, grid, blocks) }
  var expand: String { CodeSpelling(format: format).expand }

  /// Statements that declare `w`, the weights of `panel`, and expand them unless `expanded` is that panel.
  func expansion(of panel: String, firstVector: String, vectors: String) -> [String] {
    [
      "const float *w = (const float *)(void *)scratch;",
      "if (\(panel) != expanded) $symbol_expand((const char *)buffers[\(param)], \(firstVector), \(vectors), 0, "
        + "\(format.steps), (float *)(void *)scratch);",
      "expanded = \(panel);",
    ]
  }

  /// Statements that expand all panels to `target`.
  func expansion(ofPanels panels: ConvolutionPanels, to target: String) -> [String] {
    var lines: [String] = []
    let perPanel = format.steps * format.lanes
    func call(_ vector: String, _ width: Int) -> String {
      "$symbol_expand((const char *)buffers[\(param)], \(vector), \(width), 0, \(format.steps), "
        + "\(target) + \(vector) * \(perPanel));"
    }
    if panels.whole > 0 {
      lines.append(
        "for (int64_t panel = 0; panel < \(panels.whole); panel++) " + call("panel * \(panels.vectors)", panels.vectors)
      )
    }
    if panels.rest > 0 { lines.append(call("\(panels.whole * panels.vectors)", panels.rest)) }
    return lines
  }
}

extension ConvolutionPanels {
  func grid(_ problem: ConvolutionProblem, _ steps: [Step]) -> WeightGrid {
    grid(
      filters: problem.filters,
      channels: problem.channelsPerGroup,
      taps: problem.taps,
      block: problem.block,
      steps: steps
    )
  }

  /// A plain weight in this order.
  func packed(_ problem: ConvolutionProblem, _ steps: [Step]) -> Tensor {
    problem.packed(
      pack(
        problem.weightValues,
        filters: problem.filters,
        channels: problem.channelsPerGroup,
        taps: problem.taps,
        block: problem.block,
        steps: steps
      )
    )
  }
}
