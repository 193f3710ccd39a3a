import MLCCore
import MLCKernels

/// Spells one matmul under one plan as C. `GemmEmitter+…` hold the parts of the source.
///
/// A task is a panel of columns of a block of rows of one batch position; panels vary fastest, so that a worker reuses
/// the rows it packed.
struct GemmEmitter {
  let problem: GemmProblem
  let plan: GemmPlan
  let panels: ConstantPanels?
  let sizes: SizeSpelling
  let epilogue: GemmEpilogue

  var matmul: Matmul { problem.matmul }
  func spell(_ dim: Dim) -> String { sizes.spell(dim) }
  var position: GemmPosition { GemmPosition(problem) }

  /// How micro-kernels read floats of the right operand: `b`, a panel, or `strip…` in the constant.
  var reader: PanelReader {
    guard let strips else {
      let unit = problem.areHalves ? "2 * VL" : "VL"
      return PanelReader(vectors: plan.tile.vectors, lanes: plan.lanes, name: "b", unit: unit)
    }
    return PanelReader(
      strips,
      vectors: plan.tile.vectors,
      lanes: plan.lanes,
      alignment: plan.width,
      most: plan.tile.vectors,
      mayOverrun: mayOverrun,
      name: "strip"
    )
  }

  var strips: WeightStrips? { plan.strip == nil ? nil : panels?.strips }
  /// Whether the last panel names strips that are not there; what it computes of them is not stored.
  var mayOverrun: Bool { strips.map { $0.columns % plan.width != 0 } ?? false }

  /// Whether micro-kernels read codes, not floats.
  var decodesInRegisters: Bool { plan.compressed != nil && !plan.expandsCodes }

  /// Whether the sizes alone say that there is nothing to compute.
  private var isEmpty: Bool { (matmul.batch + [matmul.m, matmul.n]).contains { $0.extent == 0 } }

  func source(_ symbol: String) -> CCode {
    if isEmpty { return .kernel(symbol, "(void)frame, (void)buffers, (void)scratch, (void)begin, (void)end;") }
    let kernels = rowCounts.sorted(by: >).map { rows -> CCode in
      if plan.usesTiles { return tileMicroKernel(rows: rows, symbol) }
      return decodesInRegisters ? codesMicroKernel(rows: rows, symbol) : microKernel(rows: rows, symbol)
    }
    return [
      position.declaration(symbol), epilogue.source(symbol), kernels.joined(), packRight(symbol), packLeft(symbol),
      .kernel(symbol, driver(symbol)),
    ]
  }

  /// A C expression: how many tasks there are.
  var tasks: String {
    if isEmpty { return "0" }
    let batch = matmul.batch.map { spell($0.extent) }
    return (batch + [rowBlocks, columnPanels]).joined(separator: "*")
  }

  var rowBlocks: String { quotient(matmul.m.extent, plan.block) }
  var columnPanels: String { quotient(matmul.n.extent, plan.width) }

  private func quotient(_ extent: Dim, _ divisor: Int) -> String {
    extent.constant.map { "\(($0 + divisor - 1) / divisor)" } ?? "((\(spell(extent))+\(divisor - 1))/\(divisor))"
  }

  /// Row counts that micro-kernels are needed for: all of them when the rows are not known.
  var rowCounts: Set<Int> {
    guard let m = matmul.m.extent.constant else { return Set(1...plan.tile.rows) }
    let blocks = (m + plan.block - 1) / plan.block
    if blocks == 0 { return [] }
    return plan.tile.split(m / blocks).union(m % blocks == 0 ? [] : plan.tile.split(m / blocks + 1))
  }

  /// Elements between rows and between steps of k of the left operand, as micro-kernels see it.
  var leftStrides: (row: String, k: String) {
    if let factors = problem.factors { return ("\(2 * plan.leftStride)", factors.arePairs ? "2" : "1") }
    let (word, step) = problem.areBytes ? (4, "4") : (1, spell(problem.lhs.stride(matmul.k)))
    if plan.packsLeft { return ("\(word * plan.leftStride)", "\(word)") }
    return (spell(problem.lhs.stride(matmul.m)), step)
  }

  /// The C type of the left operand's elements, as micro-kernels see it.
  var leftType: String { problem.areBytes ? "uint8_t" : problem.factors != nil ? "uint16_t" : element }

  /// The C type of one sum, and of what is packed to be multiplied.
  var element: String { problem.sumElement.cStorageType }
}
