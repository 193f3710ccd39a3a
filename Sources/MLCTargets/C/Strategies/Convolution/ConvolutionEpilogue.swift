import MLCCore
import MLCKernels

/// What a convolution's epilogue reads besides the accumulator, resolved to pointers and strides.
struct ConvolutionEpilogue {
  /// A tensor read at one set of indices.
  struct Operand: Hashable {
    let param: Int, index: [Index], dtype: DType
    /// Whether a block of channels is read, or one element for all of them.
    var isVector: Bool
    /// Elements from one image, block of channels, plane, row and column to the next, and to the first element.
    var image: Dim = 0, block: Dim = 0, plane: Dim = 0, row: Dim = 0, column: Dim = 0, origin: Dim = 0
  }

  private struct Load: Hashable { let param: Int, index: [Index] }

  let operands: [Operand]
  /// The epilogue with its loads replaced by stages, one an operand.
  let expression: Scalar
  /// Constants padded with zeros to whole blocks, by parameter.
  let padded: [Int: Tensor]

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    var loads: [Load] = []
    problem.convolution.epilogue.visitNodes({
      if case .load(let param, let index) = $0, !loads.contains(Load(param: param, index: index)) {
        loads.append(Load(param: param, index: index))
      }
    })
    var found: [Operand] = []
    for load in loads { found.append(try Self.operand(load.param, load.index, problem)) }
    operands = found
    padded = try Self.padding(found, problem)
    expression = problem.convolution.epilogue.rewritten {
      if case .load(let param, let index) = $0 {
        return .stage(loads.firstIndex(of: Load(param: param, index: index))!)
      }
      return $0
    }
    try check(problem)
  }

  private func check(_ problem: ConvolutionProblem) throws(Diagnostic) {
    var usesPosition = false
    expression.visitNodes({ if case .index = $0 { usesPosition = true } })
    if usesPosition { throw problem.obstacle("its epilogue depends on the position") }
    let speller = speller(problem)
    if let reason = speller.obstacle(expression, axis: 1) {
      throw problem.obstacle("its epilogue needs \(reason)")
    }
    guard speller.dtype(expression) == problem.output.dtype.widened else {
      throw problem.obstacle("its epilogue is converted as it is stored")
    }
  }

  /// Spells `expression` over vectors of channels, once `accumulator` and `stages` are set.
  func speller(_ problem: ConvolutionProblem) -> ScalarSpeller {
    var speller = ScalarSpeller(problem.kernel, in: problem.program)
    speller.stageTypes = operands.map { $0.dtype.widened }
    speller.stageBounds = operands.map { problem.tensor($0.param).largestElement }
    speller.stagesAreVectors = true
    speller.accumulatorType = problem.kernel.accumulatorType(in: problem.program)
    return speller
  }

  /// Whether rows of outputs can be walked as one long row.
  func isFlat(columns: Dim) -> Bool { operands.allSatisfy { $0.row == columns * $0.column } }

  /// Whether planes can, where rows can.
  func isFlat(rows: Dim) -> Bool { operands.allSatisfy { $0.plane == rows * $0.row } }

  private static func operand(
    _ param: Int,
    _ index: [Index],
    _ problem: ConvolutionProblem
  ) throws(Diagnostic) -> Operand {
    let tensor = problem.tensor(param)
    let axes = index.map { index -> Int? in if case .axis(let id) = index { id } else { nil } }
    guard zip(index, axes).allSatisfy({ $1 != nil || $0 == .constant(0) }),
      Set(axes.compactMap { $0 }).count == axes.count(where: { $0 != nil })
    else { throw problem.obstacle("its epilogue indexes '\(tensor.name)' by more than loop positions") }
    var operand = Operand(param: param, index: index, dtype: tensor.dtype, isVector: axes.contains(1))
    let rank = problem.output.shape.count
    if let view = BlockedView(tensor) {
      guard view.block == problem.block, axes.count == rank,
        axes.indices.allSatisfy({ axes[$0] == nil || axes[$0] == $0 })
      else { throw problem.obstacle("its epilogue reads '\(tensor.name)' in another order of channels") }
      operand.origin = view.origin
      if axes[1] != nil { operand.block = view.volume }
      if axes[0] != nil { operand.image = view.image }
      if rank == 5, axes[2] != nil { operand.plane = view.plane }
      if axes[rank - 2] != nil { operand.row = view.row }
      if axes[rank - 1] != nil { operand.column = Dim(view.block) }
      return operand
    }
    guard tensor.layout == .plain else { throw problem.obstacle("its epilogue reads '\(tensor.name)' blocked") }
    var stride: Dim = 1
    for (axis, extent) in zip(axes, tensor.shape).reversed() {
      switch axis {
      case 0: operand.image = stride
      case 1:
        guard stride == 1 else { throw problem.obstacle("its epilogue reads '\(tensor.name)' with channels apart") }
        operand.block = Dim(problem.block)
      case rank - 1: operand.column = stride
      case rank - 2: operand.row = stride
      case 2: operand.plane = stride
      default: break
      }
      stride = stride * extent
    }
    return operand
  }

  /// Vector reads of plain tensors must stay inside them: constants are padded, others must end on a block.
  private static func padding(
    _ operands: [Operand],
    _ problem: ConvolutionProblem
  ) throws(Diagnostic) -> [Int: Tensor] {
    var padded: [Int: Tensor] = [:]
    if problem.filters.isMultiple(of: problem.block) { return padded }
    for operand in operands where operand.isVector {
      let tensor = problem.tensor(operand.param)
      guard tensor.layout == .plain else { continue }
      guard operand.image == 0, case .constant(let values) = tensor.kind, values.count == problem.filters,
        operands.allSatisfy({ $0.param != operand.param || $0.isVector })
      else { throw problem.obstacle("its epilogue reads past the end of '\(tensor.name)'") }
      let zeros = [Double](repeating: 0, count: problem.filterBlocks * problem.block - values.count)
      padded[operand.param] = Tensor(tensor.dtype, [values.count + zeros.count], values.doubles + zeros)
    }
    return padded
  }
}
