import MLCCore
import MLCKernels

/// The C of the routine `recurrent`.
struct RecurrentText {
  let routine: Routine, kernel: Kernel, program: KernelProgram
  let hidden: Int, gates: Int, directions: Int
  let data: DType

  init(_ routine: Routine, _ kernel: Kernel, _ program: KernelProgram) {
    (self.routine, self.kernel, self.program) = (routine, kernel, program)
    hidden = routine.sizes[2].constant!
    gates = ["lstm": 4, "gru": 3][routine.options["kind"] ?? ""] ?? 1
    directions = routine.options["direction"] == "bidirectional" ? 2 : 1
    data = program[kernel.params[Int(routine.options["y"]!)!].tensor].dtype
  }

  private var real: String { data == .float64 ? "double" : "float" }
  private var suffix: String { data == .float64 ? "f64" : "f32" }
  private func has(_ role: String) -> Bool { routine.options[role] != nil }
  private func load(_ role: String, _ place: String) -> String {
    let p = routine.options[role]!
    switch program[kernel.params[Int(p)!].tensor].dtype {
    case .float16: return "mlc_f32_f16(p\(p)[\(place)])"
    case .bfloat16: return "mlc_f32_bf16(p\(p)[\(place)])"
    default: return "p\(p)[\(place)]"
    }
  }
  private func store(_ role: String, _ place: String, _ value: String) -> String {
    let p = routine.options[role]!
    switch program[kernel.params[Int(p)!].tensor].dtype {
    case .float16: return "p\(p)[\(place)] = mlc_f16_f32(\(value));"
    case .bfloat16: return "p\(p)[\(place)] = mlc_bf16_f32(\(value));"
    default: return "p\(p)[\(place)] = \(value);"
    }
  }
  /// What a direction has of its own, chosen by `d`.
  private func directed(_ role: String, _ place: String) -> String {
    func part(_ number: Int) -> String { has("\(role)\(number)") ? load("\(role)\(number)", place) : "0" }
    return directions == 2 ? "(d == 0 ? \(part(0)) : \(part(1)))" : part(0)
  }

  private func activation(_ option: String, _ x: String) -> String {
    switch routine.options[option] {
    case "sigmoid": "mlc_sigmoid_\(suffix)(\(x))"
    case "tanh": "mlc_tanh_\(suffix)(\(x))"
    case "relu": "$symbol_relu(\(x))"
    case "hard_sigmoid": "$symbol_hard(\(x))"
    default: "(\(x))"
    }
  }

  /// ±clip around an argument.
  private func bounded(_ x: String) -> String {
    guard let clip = routine.options["clip"].flatMap(Double.init) else { return x }
    let limit = ScalarSpeller.literal(clip, data.widened)
    return "$symbol_clip(\(x), \(limit))"
  }

  private var helpers: String {
    let (scale, shift) = (ScalarSpeller.literal(0.2, data.widened), ScalarSpeller.literal(0.5, data.widened))
    return """
      FN \(real) $symbol_relu(\(real) x) { return x < 0 ? 0 : x; }
      FN \(real) $symbol_clip(\(real) x, \(real) m) { return x > m ? m : x < -m ? -m : x; }
      FN \(real) $symbol_hard(\(real) x) {
        const \(real) v = x * \(scale) + \(shift);
        return v < 0 ? 0 : v > 1 ? 1 : v;
      }

      """
  }

  /// `a[k]`, the recurrent part of gate value k, is `Σ h[j]·R[k, j]`.
  private var step: String {
    switch routine.options["kind"] {
    case "lstm": lstm
    case "gru": gru
    default: "for (int64_t j = 0; j < H; j++) next[j] = \(activation("activation", bounded("x[j] + a[j]")));"
    }
  }

  private var lstm: String {
    let hasPeephole = has("vector0") || has("vector1")
    func gate(_ number: Int, _ peephole: Int?, _ cell: String) -> String {
      let sum = "x[\(number) * H + j] + a[\(number) * H + j]"
      guard let peephole, hasPeephole else { return bounded(sum) }
      return bounded("\(sum) + \(directed("vector", "\(peephole) * H + j")) * \(cell)")
    }
    return """
      for (int64_t j = 0; j < H; j++) {
        const \(real) i = \(activation("recurrent_activation", gate(0, 0, "c[j]")));
        const \(real) f = \(activation("recurrent_activation", gate(1, 1, "c[j]")));
        const \(real) z = \(activation("cell_activation", gate(3, nil, "")));
        const \(real) cell = f * c[j] + i * z;
        const \(real) o = \(activation("recurrent_activation", gate(2, 2, "cell")));
        c[j] = cell;
        next[j] = o * \(activation("activation", "cell"));
      }
      """
  }

  private var gru: String {
    let isAfter = routine.options["reset_after"] == "1"
    let bias = has("vector0") || has("vector1") ? " + \(directed("vector", "j"))" : ""
    let product = "for (int64_t k = 0; k < H; k++) inner += r[k] * \(directed("weight", "(H + j) * H + k"));"
    let inner = isAfter ? "inner = r[j] * (a[H + j]\(bias));" : product
    let scale = isAfter ? "" : "for (int64_t j = 0; j < H; j++) r[j] *= h[j];"
    return """
      for (int64_t j = 0; j < H; j++) r[j] = \(activation("recurrent_activation", bounded("x[j] + a[j]")));
      \(scale)
      for (int64_t j = 0; j < H; j++) {
        const \(real) z = \(activation("recurrent_activation", bounded("x[2 * H + j] + a[2 * H + j]")));
        \(real) inner = 0;
        \(inner)
        const \(real) o = \(activation("activation", bounded("x[H + j] + inner")));
        next[j] = (1 - z) * o + z * h[j];
      }
      """
  }

  var function: String {
    let speller = ScalarSpeller(kernel, in: program)
    let size = { (dim: Dim) in speller.sizes.spell(dim) }
    let reverse = routine.options["direction"] == "reverse" ? "1" : "d == 1"
    let isSequence = routine.options["output_sequence"] == "1"
    let length =
      has("lengths")
      ? """
      const int64_t length = \(load("lengths", "b"));
          if (length < 0 || length > S) mlc_fault_set(frame->fault, MLC_FAULT_SIZE);
      """ : "const int64_t length = S;"
    let zeros = isSequence ? "for (int64_t j = 0; j < H; j++) \(store("y", "row * H + j", "0"))" : ""
    let results = isSequence ? "for (int64_t j = 0; j < H; j++) \(store("y", "row * H + j", "h[j]"))" : ""
    return """
      \(helpers)static void $symbol(
        const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end) {
        \(speller.prologue(kernel, in: program).replacing("\n", with: "\n  "))
        enum { H = \(hidden), G = \(gates), D = \(directions) };
        const int64_t S = \(size(routine.sizes[0])), B = \(size(routine.sizes[1]));
        for (int64_t t = begin; t < end; t++) {
          const int64_t d = t / B, b = t % B, state = (b * D + d) * H;
          \(real) *h = (\(real) *)(void *)scratch, *c = h + H, *next = c + H, *const r = next + H, *const a = r + H;
          for (int64_t j = 0; j < H; j++) {
            h[j] = \(has("initial_h") ? load("initial_h", "state + j") : "0");
            c[j] = \(has("initial_c") ? load("initial_c", "state + j") : "0");
          }
          (void)r;
          \(length)
          for (int64_t n = 0; n < S; n++) {
            const int64_t step = \(reverse) ? S - 1 - n : n, row = (step * B + b) * D + d;
            if (step >= length) {
              \(zeros)
              continue;
            }
            const \(real) *const x = p\(routine.options["gates"]!) + row * (G * H);
            for (int64_t k = 0; k < G * H; k++) {
              \(real) sum = 0;
              for (int64_t j = 0; j < H; j++) sum += h[j] * \(directed("weight", "k * H + j"));
              a[k] = sum;
            }
            \(step)
            \(real) *const swap = h;
            h = next, next = swap;
            \(results)
          }
          for (int64_t j = 0; j < H; j++) {
            \(store("h", "state + j", "h[j]"))
            \(isSequence ? "" : store("y", "state + j", "h[j]"))
            \(has("c") ? store("c", "state + j", "c[j]") : "")
          }
        }
      }

      """
  }
}
