import MLCCore
import MLCKernels

/// The C that turns sums into stored results: `SYMBOL_finish`, for consecutive outputs of one filter.
struct WindowEpilogue {
  /// Whether everything that is read and stored goes on from row to row, so that all outputs of a filter are one row.
  let isFlat: Bool
  private let problem: ConvolutionProblem
  private var rank: Int { problem.output.shape.count }
  private var last: Int { rank - 1 }
  private var index: [Index] { (0..<rank).map { .axis($0) } }

  /// Throws when the epilogue cannot be computed for vectors of outputs.
  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    self.problem = problem
    isFlat = WindowEpilogue.isFlat(problem)
    let (output, value) = (problem.convolution.output, problem.convolution.epilogue)
    if let reason = speller.obstacle(store: output, index, value, axis: last) {
      throw problem.obstacle("its epilogue needs \(reason)")
    }
  }

  private static func isFlat(_ problem: ConvolutionProblem) -> Bool {
    let shape = problem.output.shape
    var speller = ScalarSpeller(problem.kernel, in: problem.program)
    for axis in shape.indices { speller.name(axis, "") }
    var usesPosition = false
    problem.convolution.epilogue.visitNodes({ if case .index = $0 { usesPosition = true } })
    let accesses = problem.convolution.epilogue.loads + [(problem.convolution.output, shape.indices.map { .axis($0) })]
    return !usesPosition
      && accesses.allSatisfy { param, index in
        let address = speller.address(param, index)
        return (3..<shape.count).allSatisfy { axis in
          guard let inner = address.coefficient(of: axis), let outer = address.coefficient(of: axis - 1) else {
            return false
          }
          return shape[axis - 1] == 1 || outer == inner * shape[axis]
        }
      }
  }

  /// Spells the epilogue from column `x` on. Where all is flat, rows and planes count as columns.
  private var speller: ScalarSpeller {
    var speller = ScalarSpeller(problem.kernel, in: problem.program)
    let (shape, names) = (problem.output.shape, ["image", "filter"] + (rank == 5 ? ["z"] : []) + ["y", "x"])
    for (axis, extent) in shape.enumerated() {
      let isMerged = isFlat && axis > 1
      let whole = axis == last ? shape[2...].reduce(1, *) : 1
      speller.name(axis, names[axis], extent: isMerged ? whole : extent)
    }
    return speller
  }

  /// Finishes `count` outputs from image, filter, `z`, `y` and `x` on.
  func source(_ symbol: String) -> CCode {
    let (output, value) = (problem.convolution.output, problem.convolution.epilogue)
    func store(_ part: String?) -> String {
      "{ const V acc = LD(sums + i); \(speller.store(output, index, value, .vector(axis: last, part: part))) }"
    }
    return """
      static __attribute__((noinline)) void \(symbol)_finish(
        const mlc_frame *frame, void *const *buffers, const float *restrict sums, int64_t count,
        int64_t image, int64_t filter, int64_t z, int64_t y, int64_t x) {
        const int64_t *const s = frame->symbols;
        (void)s, (void)z, (void)y;
        \(pointers)
        int64_t i = 0;
        for (; i + VL <= count; i += VL, x += VL) \(store(nil))
        if (i < count) {
          const int64_t part = count - i;
          \(store("part"))
        }
      }
      """
  }

  /// Declares what is read and stored.
  private var pointers: CCode {
    let pointers = problem.kernel.params.indices.compactMap { index -> String? in
      let isOutput = index == problem.convolution.output
      guard isOutput || problem.epilogueReads(index) else { return nil }
      let type = problem.tensor(index).dtype.cStorageType
      return "\(isOutput ? "" : "const ")\(type) *p\(index) = buffers[\(index)];"
    }
    return CCode(lines: pointers)
  }
}
