import MLCCore
import MLCKernels

/// An attention as the strategies see it: every operand a strided view of a plain float16, bfloat16 or float32 tensor,
/// both depths numbers.
struct AttentionProblem: Sendable {
  let attention: Attention
  let query, key, value: LinearAccess
  let depth: Int, width: Int
  let sizes: SizeSpelling
  private let kernel: Kernel
  private let types: [DType]
  private let program: KernelProgram

  /// `nil` when an operand is something else.
  init?(_ kernel: Kernel, in program: KernelProgram) {
    guard case .attention(let attention) = kernel.body, let depth = attention.k.extent.constant,
      let width = attention.f.extent.constant, depth > 0, width > 0
    else { return nil }
    func access(_ access: Matmul.Access) -> LinearAccess? {
      guard kernel.params.indices.contains(access.param) else { return nil }
      let tensor = program[kernel.params[access.param].tensor]
      guard tensor.layout == .plain, [.float16, .bfloat16, .float32].contains(tensor.dtype) else { return nil }
      return LinearAccess(access.index, shape: tensor.shape)
    }
    guard let query = access(attention.query), let key = access(attention.key), let value = access(attention.value),
      access(attention.output) != nil
    else { return nil }
    (self.attention, self.query, self.key, self.value) = (attention, query, key, value)
    (self.depth, self.width, self.kernel, self.program) = (depth, width, kernel, program)
    sizes = SizeSpelling(program)
    types = kernel.params.map { program[$0.tensor].dtype }
  }

  func type(_ access: Matmul.Access) -> DType { types[access.param] }
  func spell(_ dim: Dim) -> String { sizes.spell(dim) }
  var batchNames: [String] { attention.batch.indices.map { "b\($0)" } }

  /// A C declaration of a typed pointer to the batch position's first element of an operand.
  func base(_ name: String, _ access: Matmul.Access, _ linear: LinearAccess) -> String {
    let steps = zip(batchNames, attention.batch).filter { linear.stride($1) != 0 }
      .map { "\($0) * \(spell(linear.stride($1)))" }
    let offset = ([spell(linear.offset)] + steps).joined(separator: " + ")
    let type = type(access).cStorageType
    return "const \(type) *const \(name) = (const \(type) *)buffers[\(access.param)] + \(offset);"
  }

  /// Where a tile lies and what its score and its store read.
  func position(_ symbol: String) -> CCode {
    """
    struct \(symbol)_at {
      const mlc_frame *frame;
      void *const *buffers;
      int64_t \((batchNames + ["m", "n"]).joined(separator: ", "));
      /// Whether this is the first chunk of keys, and whether there are no keys at all.
      int first, none;
    };
    """
  }

  /// Declares the batch positions from `rest`, the last one varying fastest.
  var positions: CCode {
    .positions(zip(batchNames, attention.batch).map { ($0, spell($1.extent)) }, of: "rest")
  }

  private func speller() -> ScalarSpeller {
    var speller = ScalarSpeller(kernel, in: program)
    for (name, axis) in zip(batchNames, attention.batch) { speller.name(axis.id, "at->\(name)", extent: axis.extent) }
    speller.name(attention.m.id, "m", extent: attention.m.extent)
    speller.name(attention.n.id, "n", extent: attention.n.extent)
    speller.name(attention.f.id, "f", extent: attention.f.extent)
    return speller
  }

  private func prologue(_ params: Set<Int>) -> CCode {
    let pointers = params.sorted().map { index in
      let type = (index == attention.output.param ? "" : "const ") + types[index].cStorageType
      return "\(type) *p\(index) = at->buffers[\(index)];"
    }
    return """
      const mlc_frame *const frame = at->frame;
      const int64_t *const s = frame->symbols;
      (void)s, (void)m;
      \(CCode(lines: pointers))
      """
  }

  var hasScore: Bool { attention.score != .accumulator }
  /// Whether the score is computed a vector of keys at a time.
  var scoresInVectors: Bool { speller().obstacle(attention.score, axis: attention.n.id) == nil }

  /// `SYMBOL_score` and `SYMBOL_score_part` on vectors, or `SYMBOL_score` on one element.
  func scoreFunctions(_ symbol: String) -> CCode {
    guard hasScore else { return [] }
    let head = prologue(Set(attention.score.loads.map { $0.param }))
    func function(_ name: String, _ type: String, _ arguments: String, _ mode: ScalarSpeller.Mode) -> CCode {
      """
      FN \(type) \(symbol)_\(name)(
        const struct \(symbol)_at *restrict at, \(type) acc, \(arguments)int64_t m, int64_t n) {
        \(head)
        (void)n;
        return \(speller().spell(attention.score, mode));
      }
      """
    }
    guard scoresInVectors else { return function("score", "float", "", .scalar) }
    return function("score", "V", "", .vector(axis: attention.n.id))
      + function("score_part", "V", "int64_t part, ", .vector(axis: attention.n.id, part: "part"))
  }

  /// `SYMBOL_store` of rows of sums, `stride` apart, each divided by its total.
  func storeFunction(stride: Int, _ symbol: String) -> CCode {
    let speller = speller()
    let (param, index) = (attention.output.param, attention.output.index)
    let axis = attention.f.id
    let isVector = speller.obstacle(store: param, index, .accumulator, axis: axis) == nil
    let scalar: CCode = """
      for (int64_t f = 0; f < \(width); f++) {
        const float acc = o[f] * scale;
        \(speller.store(param, index, .accumulator))
      }
      """
    let vector: CCode = """
      int64_t f = 0;
      for (; f + VL <= \(width); f += VL) {
        const V acc = LD(o + f) * scale;
        \(speller.store(param, index, .accumulator, .vector(axis: axis)))
      }
      if (f < \(width)) {
        const V acc = LD(o + f) * scale;
        \(speller.store(param, index, .accumulator, .vector(axis: axis, part: "\(width) - f")))
      }
      """
    return """
      static __attribute__((noinline, unused)) void \(symbol)_store(
        const struct \(symbol)_at *restrict at, const float *restrict o, const float *restrict totals, int64_t rows) {
        for (int64_t r = 0; r < rows; r++, o += \(stride)) {
          const int64_t m = at->m + r;
          const float scale = 1.0f / totals[r];
          \(prologue([param]))
          \(isVector ? vector : scalar)
        }
      }
      """
  }
}
