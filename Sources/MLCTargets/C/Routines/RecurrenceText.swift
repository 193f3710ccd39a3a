import MLCCore
import MLCKernels

/// The C of a recurrence of any cell.
struct RecurrenceText {
  let recurrence: Routine.Recurrence, kernel: Kernel, program: KernelProgram
  /// The element type of what is computed.
  let data: DType
  let symbol: String
  private var params: Routine.Recurrence.Params { recurrence.params }

  private var real: String { data == .float64 ? "double" : "float" }
  private var suffix: String { data == .float64 ? "f64" : "f32" }
  private func element(_ param: Int) -> StoredElement { StoredElement(program[kernel.params[param].tensor].dtype) }
  private func load(_ param: Int, _ place: String) -> String { element(param).read("p\(param)", at: place) }
  private func store(_ param: Int, _ place: String, _ value: String) -> String {
    element(param).write("p\(param)[\(place)]", value, of: data)
  }
  /// What a direction has of its own, chosen by `d`; 0 where it has none.
  private func directed(_ params: [Int?], _ place: String) -> String {
    let parts = params.map { $0.map { load($0, place) } ?? "0" }
    return parts.count == 2 ? "(d == 0 ? \(parts[0]) : \(parts[1]))" : parts[0]
  }
  private var hasVectors: Bool { params.vectors.contains { $0 != nil } }

  private func apply(_ activation: Routine.Activation, _ x: String) -> String {
    switch activation {
    case .sigmoid: "mlc_sigmoid_\(suffix)(\(x))"
    case .tanh: "mlc_tanh_\(suffix)(\(x))"
    case .relu: "\(symbol)_relu(\(x))"
    case .hardSigmoid: "\(symbol)_hard(\(x))"
    case .linear: "(\(x))"
    }
  }

  /// ±clip around an argument.
  private func bounded(_ x: String) -> String { bounded(x, by: recurrence.clip) }

  private func bounded(_ x: String, by clip: Double?) -> String {
    guard let clip else { return x }
    return "\(symbol)_clip(\(x), \(ScalarSpeller.literal(clip, data.widened)))"
  }

  private var helpers: CCode {
    let (scale, shift) = (ScalarSpeller.literal(0.2, data.widened), ScalarSpeller.literal(0.5, data.widened))
    return """
      FN \(real) \(symbol)_relu(\(real) x) { return x < 0 ? 0 : x; }
      FN \(real) \(symbol)_clip(\(real) x, \(real) m) { return x > m ? m : x < -m ? -m : x; }
      FN \(real) \(symbol)_hard(\(real) x) {
        const \(real) v = x * \(scale) + \(shift);
        return v < 0 ? 0 : v > 1 ? 1 : v;
      }
      """
  }

  /// `a[k]`, the recurrent part of gate value k, is `Σ h[j]·R[k, j]`.
  private var step: CCode {
    switch recurrence.cell {
    case .lstm(let gates, let cell, let output): lstm(gates, cell, output)
    case .gru(let gates, let output, let resetAfter): gru(gates, output, resetAfter)
    case .rnn(let output): "for (int64_t j = 0; j < H; j++) next[j] = \(apply(output, bounded("x[j] + a[j]")));"
    }
  }

  private func lstm(_ gates: Routine.Activation, _ cell: Routine.Activation, _ output: Routine.Activation) -> CCode {
    func gate(_ number: Int, _ peephole: Int?, _ cell: String) -> String {
      let sum = "x[\(number) * H + j] + a[\(number) * H + j]"
      guard let peephole, hasVectors else { return bounded(sum) }
      return bounded("\(sum) + \(directed(params.vectors, "\(peephole) * H + j")) * \(cell)")
    }
    return """
      for (int64_t j = 0; j < H; j++) {
        const \(real) i = \(apply(gates, gate(0, 0, "c[j]")));
        const \(real) f = \(apply(gates, gate(1, 1, "c[j]")));
        const \(real) z = \(apply(cell, gate(3, nil, "")));
        const \(real) sum = f * c[j] + i * z, cell = \(bounded("sum", by: recurrence.cellClip));
        const \(real) o = \(apply(gates, gate(2, 2, "cell")));
        c[j] = cell;
        next[j] = o * \(apply(output, "cell"));
      }
      """
  }

  private func gru(_ gates: Routine.Activation, _ output: Routine.Activation, _ resetAfter: Bool) -> CCode {
    let bias = hasVectors ? " + \(directed(params.vectors, "j"))" : ""
    let weights = directed(params.weights, "(H + j) * H + k")
    let product = "for (int64_t k = 0; k < H; k++) inner += r[k] * \(weights);"
    let inner = resetAfter ? "inner = r[j] * (a[H + j]\(bias));" : product
    let scale = resetAfter ? "" : "for (int64_t j = 0; j < H; j++) r[j] *= h[j];"
    return """
      for (int64_t j = 0; j < H; j++) r[j] = \(apply(gates, bounded("x[j] + a[j]")));
      \(scale)
      for (int64_t j = 0; j < H; j++) {
        const \(real) z = \(apply(gates, bounded("x[2 * H + j] + a[2 * H + j]")));
        \(real) inner = 0;
        \(inner)
        const \(real) o = \(apply(output, bounded("x[H + j] + inner")));
        next[j] = (1 - z) * o + z * h[j];
      }
      """
  }

  var source: CCode { helpers + .kernel(symbol, body) }

  private var body: CCode {
    let speller = ScalarSpeller(kernel, in: program)
    let size = { (dim: Dim) in speller.sizes.spell(dim) }
    let reverse = recurrence.direction == .reverse ? "1" : "d == 1"
    let isSequence = recurrence.keepsSequence
    let zeros = isSequence ? "for (int64_t j = 0; j < H; j++) \(store(params.y, "row * H + j", "0"))" : ""
    let results = isSequence ? "for (int64_t j = 0; j < H; j++) \(store(params.y, "row * H + j", "h[j]"))" : ""
    return """
      \(speller.prologue(kernel, in: program))
      enum { H = \(recurrence.hidden), G = \(recurrence.cell.gateCount), D = \(recurrence.direction.count) };
      const int64_t S = \(size(recurrence.steps)), B = \(size(recurrence.batch));
      for (int64_t t = begin; t < end; t++) {
        const int64_t d = t / B, b = t % B, state = (b * D + d) * H;
        \(real) *h = (\(real) *)(void *)scratch, *c = h + H, *next = c + H, *const r = next + H, *const a = r + H;
        for (int64_t j = 0; j < H; j++) {
          h[j] = \(params.initialH.map { load($0, "state + j") } ?? "0");
          c[j] = \(params.initialC.map { load($0, "state + j") } ?? "0");
        }
        (void)r;
        \(length)
        for (int64_t n = 0; n < S; n++) {
          const int64_t step = \(reverse) ? S - 1 - n : n, row = (step * B + b) * D + d;
          if (step >= length) {
            \(zeros)
            continue;
          }
          const \(real) *const x = p\(params.gates) + row * (G * H);
          for (int64_t k = 0; k < G * H; k++) {
            \(real) sum = 0;
            for (int64_t j = 0; j < H; j++) sum += h[j] * \(directed(params.weights, "k * H + j"));
            a[k] = sum;
          }
          \(step)
          \(real) *const swap = h;
          h = next, next = swap;
          \(results)
        }
        for (int64_t j = 0; j < H; j++) {
          \(store(params.h, "state + j", "h[j]"))
          \(isSequence ? "" : store(params.y, "state + j", "h[j]"))
          \(params.c.map { store($0, "state + j", "c[j]") } ?? "")
        }
      }
      """
  }

  /// Declares how many steps the sequence has.
  private var length: CCode {
    guard let param = params.lengths else { return "const int64_t length = S;" }
    return """
      const int64_t length = \(load(param, "b"));
      if (length < 0 || length > S) mlc_fault_set(frame->fault, MLC_FAULT_SIZE);
      """
  }
}
