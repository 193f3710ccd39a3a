import MLCCore
import MLCKernels

/// The C that turns sums into stored results: `SYMBOL_vector`, `SYMBOL_part` or `SYMBOL_scalar`, and
/// `SYMBOL_finish`, which applies them to rows of sums in scratch.
struct GemmEpilogue {
  /// Whether micro-kernels store from registers: the expression is vectors of a few cheap operations.
  let isInline: Bool
  private let isVector: Bool
  private let problem: GemmProblem, kernel: Kernel, program: KernelProgram
  /// Elements from one row of sums to the next.
  private let width: Int
  /// Whether `SYMBOL_place` is wanted, which tells where a result is stored.
  private let hasPlaces: Bool

  init(
    _ problem: GemmProblem,
    _ kernel: Kernel,
    in program: KernelProgram,
    width: Int,
    hasPlaces: Bool = false
  ) {
    (self.problem, self.kernel, self.program) = (problem, kernel, program)
    (self.width, self.hasPlaces) = (width, hasPlaces)
    isVector = problem.storesVectors(kernel, in: program)
    isInline = isVector && Self.isCheap(problem.matmul.epilogue, most: problem.areBytes ? 32 : 8)
  }

  func source(_ symbol: String) -> CCode {
    let matmul = problem.matmul
    let speller = problem.speller(kernel, in: program)
    let (param, index, value) = (matmul.output.param, matmul.output.index, matmul.epilogue)
    func function(_ name: String, _ arguments: String, _ mode: ScalarSpeller.Mode) -> CCode {
      """
      FN void \(symbol)_\(name)(const struct \(symbol)_at *restrict at, \(arguments), int64_t m, int64_t n) {
        \(prologue)
        \(speller.store(param, index, value, mode))
      }
      """
    }
    if !isVector {
      return function("scalar", "\(problem.sumElement.cType) acc", .scalar) + finishScalars(symbol) + places(symbol)
    }
    return [
      places(symbol),
      function("vector", "\(problem.sumType.name) acc", .vector(axis: matmul.n.id)),
      function("part", "\(problem.sumType.name) acc, int64_t part", .vector(axis: matmul.n.id, part: "part")),
      finishVectors(symbol),
    ]
  }

  /// Where the result of row `m` and column `n` is stored.
  private func places(_ symbol: String) -> CCode {
    guard hasPlaces else { return [] }
    let (param, speller) = (problem.matmul.output.param, problem.speller(kernel, in: program))
    let type = problem.outputType.cStorageType
    let place = speller.spell(speller.address(param, problem.matmul.output.index))
    return """
      FN const \(type) *\(symbol)_place(const struct \(symbol)_at *restrict at, int64_t m, int64_t n) {
        const int64_t *const s = at->frame->symbols;
        (void)s, (void)m, (void)n;
        return (const \(type) *)at->buffers[\(param)] + \(place);
      }
      """
  }

  /// Declares the frame, the sizes and the parameters that the epilogue touches.
  private var prologue: CCode {
    let params = kernel.params.enumerated().compactMap { index, param -> String? in
      let isOutput = index == problem.matmul.output.param
      guard isOutput || problem.epilogueReads(index) else { return nil }
      let type = program[param.tensor].dtype.cStorageType
      return "\(isOutput ? "" : "const ")\(type) *p\(index) = at->buffers[\(index)];"
    }
    return """
      const mlc_frame *const frame = at->frame;
      const int64_t *const s = frame->symbols;
      (void)s, (void)m, (void)n;
      \(CCode(lines: params))
      """
  }

  /// A few operations without polynomials.
  private static func isCheap(_ value: Scalar, most: Int) -> Bool {
    var operations = 0
    func count(_ node: Scalar) {
      switch node {
      case .unary(.neg, _), .unary(.abs, _), .unary(.sqrt, _), .unary(.round, _), .compare, .select, .cast, .load:
        operations += 1
      case .binary(.pow, _, _), .binary(.mod, _, _), .binary(.fmod, _, _), .unary: operations += 100
      case .binary: operations += 1
      default: break
      }
    }
    value.visitNodes(count)
    return operations <= most
  }

  /// A row's vectors go together: of a long chain of operations processors hold too few to overlap the next ones.
  private func finishVectors(_ symbol: String) -> CCode {
    let sum = StoredElement(problem.sumElement).load("sums + j")
    return """
      static __attribute__((noinline, unused)) void \(symbol)_finish(
        const struct \(symbol)_at *restrict at, int64_t rows) {
        for (int64_t r = 0; r < rows; r++) {
          const \(problem.sumElement.cStorageType) *sums = at->sums + r * \(width);
          int64_t j = 0;
          _Pragma("clang loop unroll_count(\(width) / VL < 4 ? \(width) / VL : 4)")
          for (; j + VL <= at->columns; j += VL) \(symbol)_vector(at, \(sum), at->m + r, at->n + j);
          if (j < at->columns) \(symbol)_part(at, \(sum), at->columns - j, at->m + r, at->n + j);
        }
      }
      """
  }

  private func finishScalars(_ symbol: String) -> CCode {
    """
    static __attribute__((noinline, unused)) void \(symbol)_finish(
      const struct \(symbol)_at *restrict at, int64_t rows) {
      for (int64_t r = 0; r < rows; r++)
        for (int64_t j = 0; j < at->columns; j++)
          \(symbol)_scalar(at, at->sums[r * \(width) + j], at->m + r, at->n + j);
    }
    """
  }
}

extension GemmProblem {
  /// Whether results are stored a vector of columns at a time.
  func storesVectors(_ kernel: Kernel, in program: KernelProgram) -> Bool {
    let output = matmul.output
    return speller(kernel, in: program).obstacle(store: output.param, output.index, matmul.epilogue, axis: matmul.n.id)
      == nil
  }

  /// Spells the epilogue at row `m` and column `n`.
  fileprivate func speller(_ kernel: Kernel, in program: KernelProgram) -> ScalarSpeller {
    var speller = ScalarSpeller(kernel, in: program)
    for (index, axis) in matmul.batch.enumerated() { speller.name(axis.id, "at->b\(index)", extent: axis.extent) }
    speller.accumulatorType = sumElement
    speller.name(matmul.m.id, "m", extent: matmul.m.extent)
    speller.name(matmul.n.id, "n", extent: matmul.n.extent)
    return speller
  }
}
