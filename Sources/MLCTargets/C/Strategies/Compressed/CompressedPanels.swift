import MLCCore
import MLCKernels

/// A compressed weight arranged for a strategy: what is stored, and the C that expands a panel of it.
struct CompressedPanels: Sendable {
  enum Format: Sendable {
    case codes(CodeFormat, CodeBlocks)
    case sparse(SparseFormat)
  }
  let format: Format
  private let constant: CompressedConstant, grid: WeightGrid

  /// `nil` when nothing would be saved, or when blocks lie across lanes and steps.
  init?(_ constant: CompressedConstant, _ grid: WeightGrid, lanes: Int) {
    (self.constant, self.grid) = (constant, grid)
    switch constant.elements {
    case .codes:
      guard let (format, blocks) = CodeFormat.choose(constant, grid, lanes: lanes) else { return nil }
      self.format = .codes(format, blocks)
    case .sparse(_, let mask):
      guard let format = SparseFormat(mask.codes, grid, lanes: lanes) else { return nil }
      self.format = .sparse(format)
    }
  }

  /// How codes lie; `nil` for a sparse weight.
  var codes: CodeFormat? { if case .codes(let format, _) = format { format } else { nil } }

  var steps: Int { grid.steps.count }

  /// Parts of the steps begin at multiples of this.
  var unit: Int {
    switch format {
    case .codes(let format, _): format.runs == 1 ? format.perWord : format.run
    case .sparse: SparseFormat.span
    }
  }

  /// The bytes that kernels read.
  var packed: Tensor {
    switch (format, constant.elements) {
    case (.codes(let format, let blocks), _): format.pack(constant, grid, blocks)
    case (.sparse(let format), .sparse(_, let mask)): format.pack(constant.expanded().floats, mask.codes, grid)
    case (.sparse, .codes): preconditionFailure("codes are not sparse")
    }
  }

  /// Defines `SYMBOL_expand`.
  func expandFunction(_ symbol: String) -> CCode {
    switch format {
    case .codes(let format, _): CodeSpelling(format: format).expandFunction(symbol)
    case .sparse(let format): format.expandFunction(symbol)
    }
  }

  /// A call of it, all arguments but the symbol C expressions.
  func expand(
    _ codes: String,
    panel: String,
    vector: String,
    vectors: String,
    first: String,
    count: String,
    to: String,
    _ symbol: String
  ) -> String {
    "\(symbol)_expand((const char *)\(codes), \(panel), \(vector), \(vectors), \(first), \(count), \(to));"
  }

  /// `i4`, `lut4`, `sparse`: part of a symbol.
  var label: String {
    switch format {
    case .codes(let format, _): format.label
    case .sparse: "sparse"
    }
  }
}
