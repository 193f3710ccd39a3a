import MLCCore
import MLCKernels

/// Attention for one to four queries, as when text is generated token by token: keys and values are read once where
/// they are.
package enum RowAttention: Strategy {
  package static let name = "RowAttention"

  package static func obstacle(to kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    -> Diagnostic?
  {
    if problem(kernel, program, device) != nil { return nil }
    return Diagnostic(
      "target.attention-shape",
      "\(name) takes one to four queries and rows of whole vectors only",
      kind: .unsupported,
      at: kernel.origins.first ?? Location()
    )
  }

  package static func cost(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> Double {
    problem(kernel, program, device).map { 2 * $0.products(on: device) } ?? .infinity
  }

  package static func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    guard let problem = problem(kernel, program, device) else {
      throw obstacle(to: kernel, in: program, on: device)
        ?? Diagnostic("target.attention-shape", "not for \(name)", kind: .bug)
    }
    let emitter = RowAttentionEmitter(problem: problem, lanes: device.lanes)
    return EmittedKernel(
      problem.kernelName(kernel, device, "row"),
      source: emitter.source,
      tasks: emitter.tasks,
      scratchBytes: emitter.scratchElements * 4
    )
  }

  private static func problem(_ kernel: Kernel, _ program: KernelProgram, _ device: DeviceDescription)
    -> AttentionProblem?
  {
    guard let problem = AttentionProblem(kernel, in: program), let rows = problem.attention.m.extent.constant,
      (1...4).contains(rows), problem.depth.isMultiple(of: device.lanes), problem.width.isMultiple(of: device.lanes),
      problem.key.stride(problem.attention.k) == 1, problem.value.stride(problem.attention.f) == 1,
      max(problem.depth, problem.width) <= 16 * device.lanes
    else { return nil }
    return problem
  }
}

/// Spells a `RowAttention`. A task is one query of one batch position.
struct RowAttentionEmitter {
  let problem: AttentionProblem
  let lanes: Int

  private var attention: Attention { problem.attention }
  /// Keys that are weighed together.
  private let keys = 2048
  var scratchElements: Int { keys + lanes + problem.depth + problem.width + 32 }
  private func spell(_ dim: Dim) -> String { problem.spell(dim) }
  var tasks: String { (attention.batch + [attention.m]).map { spell($0.extent) }.joined(separator: "*") }

  func source(_ symbol: String) -> CCode {
    [
      problem.position(symbol), problem.scoreFunctions(symbol),
      problem.softmaxFunction(stride: keys + lanes, width: problem.width, symbol),
      problem.storeFunction(stride: problem.width, symbol), scores(symbol), sums(symbol),
      .kernel(symbol, driver(symbol)),
    ]
  }

  /// The query times VL keys at a time; their vectors of partial sums are added while they are turned.
  private func scores(_ symbol: String) -> CCode {
    let type = problem.type(attention.key)
    let parts = problem.depth / lanes
    func product(_ row: String) -> String {
      (0..<parts).map { "q\($0) * \(StoredElement(type).load("\(row) + \($0) * VL"))" }.joined(separator: " + ")
    }
    return """
      static __attribute__((noinline, unused)) void \(symbol)_scores(
        const int64_t *s, const float *restrict q, const \(type.cStorageType) *restrict key, int64_t columns,
        float *restrict x) {
        const int64_t step = \(spell(problem.key.stride(attention.n)));
        (void)s;
        const V \((0..<parts).map { "q\($0) = LD(q + \($0) * VL)" }.joined(separator: ", "));
        int64_t n = 0;
        for (; n + VL <= columns; n += VL, key += VL * step) {
          V t[VL];
          for (int i = 0; i < VL; i++) t[i] = \(product("key + i * step"));
          _Pragma("clang loop unroll(full)") for (int h = VL / 2; h > 0; h /= 2)
            _Pragma("clang loop unroll(full)") for (int i = 0; i < h; i++)
              t[i] = MLC_ZIP_LOW(t[i], t[i + h]) + MLC_ZIP_HIGH(t[i], t[i + h]);
          ST(x + n, t[0]);
        }
        for (; n < columns; n++, key += step) x[n] = mlc_hsum(\(product("key")));
      }
      """
  }

  /// Adds the weighted values; two sums for each column, so that products do not wait for each other.
  private func sums(_ symbol: String) -> CCode {
    let type = problem.type(attention.value)
    let parts = problem.width / lanes
    func each(_ body: (Int) -> String) -> String { (0..<parts).map(body).joined(separator: " ") }
    func add(_ sum: String, _ row: String) -> String {
      each {
        let value = StoredElement(type).load("value + \(row) + \($0) * VL")
        return "\(sum)\($0) += \(value) * x[n\(sum == "d" ? " + 1" : "")];"
      }
    }
    return """
      static __attribute__((noinline, unused)) void \(symbol)_sums(
        const int64_t *s, const float *restrict x, const \(type.cStorageType) *restrict value, int64_t columns,
        float *restrict o, int first) {
        const int64_t step = \(spell(problem.value.stride(attention.n)));
        (void)s;
        V \((0..<parts).map { "c\($0) = {}, d\($0) = {}" }.joined(separator: ", "));
        if (!first) { \(each { "c\($0) = LD(o + \($0) * VL);" }) }
        int64_t n = 0;
        for (; n + 2 <= columns; n += 2, value += 2 * step) {
          \(add("c", "0"))
          \(add("d", "step"))
        }
        if (n < columns) { \(add("c", "0")) }
        \(each { "ST(o + \($0) * VL, c\($0) + d\($0));" })
      }
      """
  }

  private func driver(_ symbol: String) -> CCode {
    let (keyStep, valueStep) = (spell(problem.key.stride(attention.n)), spell(problem.value.stride(attention.n)))
    let (row, column) = (spell(problem.query.stride(attention.m)), spell(problem.query.stride(attention.k)))
    let batch = problem.batchNames.map { "\($0), " }.joined()
    let element = StoredElement(problem.type(attention.query)).read("query[m * \(row) + k * \(column)]")
    let scale = ScalarSpeller.literal(attention.scale, .float32)
    return """
      const int64_t *const s = frame->symbols;
      (void)s;
      const int64_t M = \(spell(attention.m.extent)), N = \(spell(attention.n.extent));
      float *const x = (float *)(void *)scratch, *const q = x + \(keys + lanes), *const o = q + \(problem.depth);
      for (int64_t task = begin; task < end; task++) {
        int64_t rest = task / M;
        const int64_t m = task % M;
        \(problem.positions)
        \(problem.base("query", attention.query, problem.query))
        \(problem.base("key", attention.key, problem.key))
        \(problem.base("value", attention.value, problem.value))
        for (int64_t k = 0; k < \(problem.depth); k++) q[k] = \(element) * \(scale);
        float top = 0, total = 0;
        int64_t done = 0;
        do {
          const int64_t columns = N - done < \(keys) ? N - done : \(keys);
          struct \(symbol)_at at = { frame, buffers, \(batch)m, done, done == 0, N == 0 };
          \(symbol)_scores(s, q, key + done * \(keyStep), columns, x);
          \(symbol)_softmax(&at, x, 1, columns, &top, &total, o);
          \(symbol)_sums(s, x, value + done * \(valueStep), columns, o, at.first);
          done += columns;
          if (done >= N) \(symbol)_store(&at, o, &total, 1);
        } while (done < N);
      }
      """
  }
}
