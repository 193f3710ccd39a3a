import MLCCore
import MLCKernels

/// The parts of generated code that all convolution strategies share: parameters, epilogues, tiles over a row.
struct ConvolutionWriter {
  let problem: ConvolutionProblem
  let epilogue: ConvolutionEpilogue
  let out: BlockedView
  let sizes: SizeSpelling

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    if let obstacle = problem.generalObstacle { throw obstacle }
    self.problem = problem
    epilogue = try ConvolutionEpilogue(problem)
    out = BlockedView(problem.output)!
    sizes = SizeSpelling(problem.program)
  }

  func spell(_ dim: Dim) -> String { sizes.spell(dim) }

  // MARK: Parameters

  var outputType: String { problem.output.dtype.cStorageType }
  var weightType: String { problem.packedType.cStorageType }

  /// The micro-kernel's parameters after its input and weights: the output, then the epilogue's operands.
  var resultParameters: String {
    (["\(outputType) *restrict o"]
      + epilogue.operands.enumerated().map { "const \($1.dtype.cStorageType) *restrict e\($0)" })
      .joined(separator: ", ")
  }

  /// Declares `o`, `e0`, … at the first row and column of channel block `block` of image `image` and, where there are
  /// several, of plane `plane`; `o` at that plane.
  func resultPointers(block: String, plane: String? = nil) -> CCode {
    func at(_ stride: Dim) -> String { plane.map { " + \($0) * \(spell(stride))" } ?? "" }
    let operands = epilogue.operands.enumerated().map { k, operand in
      let type = operand.dtype.cStorageType
      return "const \(type) *e\(k) = (const \(type) *)buffers[\(operand.param)] + \(spell(operand.origin))"
        + " + image * \(spell(operand.image)) + \(block) * \(spell(operand.block))\(at(operand.plane));"
    }
    let output =
      "\(outputType) *o = (\(outputType) *)buffers[\(problem.convolution.output)]"
      + " + image * \(spell(out.image)) + \(block) * \(spell(out.volume))\(at(out.plane));"
    return CCode(lines: [output] + operands)
  }

  /// The arguments for `resultParameters` at row `y` and column `x`.
  func resultArguments(y: String, x: String) -> String {
    (["o + \(spell(out.origin)) + \(y) * \(spell(out.row)) + \(x) * \(out.block)"]
      + epilogue.operands.enumerated().map {
        "e\($0) + \(y) * \(spell($1.row)) + \(x) * \(spell($1.column))"
      }).joined(separator: ", ")
  }

  /// What finishes the planes of the output around its elements; `rows` by `columns` and `filters` of those are
  /// written, the output's where they are not given.
  func border(_ symbol: String, rows: Dim? = nil, columns: Dim? = nil, filters: Int? = nil) -> ConvolutionBorder {
    ConvolutionBorder(
      symbol: symbol,
      view: out,
      rows: rows ?? problem.rows,
      columns: columns ?? problem.columns,
      filters: filters ?? problem.writtenFilters,
      type: outputType,
      sizes: sizes
    )
  }

  // MARK: Epilogue

  /// Stores accumulator `c` for the pixel at `y`, `x` of the tile and its `vector`-th block of channels.
  func finish(_ c: String, y: Int, x: Int, vector: Int) -> String {
    func offset(_ row: Dim, _ column: Dim, _ block: Dim) -> String {
      spell(Dim(y) * row + Dim(x) * column + Dim(vector) * block)
    }
    var speller = epilogue.speller(problem)
    speller.accumulator = c
    speller.stages = epilogue.operands.enumerated().map { k, operand in
      let address = "e\(k) + \(offset(operand.row, operand.column, operand.block))"
      let element = StoredElement(operand.dtype)
      return operand.isVector ? element.load(address) : element.splat("*(\(address))")
    }
    let value = speller.spell(epilogue.expression, .vector(axis: 1))
    let address = "o + \(offset(out.row, Dim(out.block), out.volume))"
    return StoredElement(problem.output.dtype).store(address, value)
  }

  // MARK: Tiles over the outputs

  /// Widths that cover what is left of a row after tiles of `width`: one where the row's length is known, the powers of
  /// two below `width` where it is not.
  static func remainders(_ extent: Dim, _ width: Int) -> [Int] {
    if let extent = extent.constant { return extent % width == 0 ? [] : [extent % width] }
    return [32, 16, 8, 4, 2, 1].filter { $0 < width }
  }

  /// Walks columns `from ..< to` by tiles of `width`, then by the remainders; `tile` is one call at column `name`.
  static func walk(
    _ name: String,
    from: String,
    to: String,
    width: Int,
    rest: [Int],
    tile: (Int) -> CCode
  ) -> CCode {
    let narrow = rest.map { width -> CCode in
      """
      if (\(name) + \(width) <= \(to)) {
        \(tile(width))
        \(width == rest.last ? "" : "\(name) += \(width);")
      }
      """
    }
    return """
      int64_t \(name) = \(from);
      for (; \(name) + \(width) <= \(to); \(name) += \(width)) {
        \(tile(width))
      }
      \(narrow.joined())
      """
  }
}

extension ConvolutionTile {
  /// Declares a sum for each pixel and vector, `c<pixel>_<vector>`.
  func sums(_ type: LaneType) -> CCode {
    CCode(
      lines: (0..<pixels).map { p in
        "\(type.name) " + (0..<vectors).map { "c\(p)_\($0) = {}" }.joined(separator: ", ") + ";"
      }
    )
  }
}
