import MLCCore
import MLCKernels

/// What `lstm` and `gru` share: sizes `[S, B, H]`, the option `direction` (`forward`, `reverse` or `bidirectional`), one
/// task for each direction and batch element, and recurrent weights that are a constant `[D, gates·H, H]`, packed as
/// `[D][⌈H/VL⌉][H][gates][VL]`.
struct Recurrence {
  let gates: Int
  let steps: Dim, batch: Dim, hidden: Int, directions: Int, reversesFirst: Bool
  let weights: Tensor

  init(_ routine: Routine, gates: Int, params count: Int, _ kernel: Kernel, in program: KernelProgram)
    throws(Diagnostic)
  {
    func bad(_ why: String) -> Diagnostic {
      Diagnostic("target.recurrence", "routine '\(routine.name)': \(why)", kind: .unsupported)
    }
    guard routine.sizes.count == 3, let hidden = routine.sizes[2].constant, hidden > 0 else {
      throw bad("the hidden size is not a number")
    }
    guard kernel.params.count == count else { throw bad("\(kernel.params.count) parameters, not \(count)") }
    for param in kernel.params where program[param.tensor].dtype != .float32 { throw bad("parameters must be fp32") }
    let direction = routine.options["direction"] ?? "forward"
    guard ["forward", "reverse", "bidirectional"].contains(direction) else { throw bad("direction '\(direction)'") }
    (steps, batch, self.hidden, self.gates) = (routine.sizes[0], routine.sizes[1], hidden, gates)
    directions = direction == "bidirectional" ? 2 : 1
    reversesFirst = direction == "reverse"
    guard case .constant(let weights) = program[program.root(kernel.params[1].tensor)].kind,
      weights.shape == [directions, gates * hidden, hidden]
    else { throw bad("the recurrent weights are not a constant [\(directions), \(gates * hidden), \(hidden)]") }
    self.weights = weights
  }

  func padded(_ lanes: Int) -> Int { (hidden + lanes - 1) / lanes * lanes }

  /// The weights as the kernel reads them; lanes past H are zero.
  func packed(_ lanes: Int) -> Tensor {
    let panels = padded(lanes) / lanes
    let source = weights.floats
    return Tensor(.float32, [directions, panels, hidden, gates, lanes]) { (out: UnsafeMutableBufferPointer<Float>) in
      for d in 0..<directions {
        for unit in 0..<hidden {
          for gate in 0..<gates {
            let row = ((d * gates + gate) * hidden + unit) * hidden
            let panel = (d * panels + unit / lanes) * hidden
            for k in 0..<hidden { out[((panel + k) * gates + gate) * lanes + unit % lanes] = source[row + k] }
          }
        }
      }
    }
  }

  /// `body` inside the loops over tasks and time. It sees `d`, `b`, `x` (this step's gates), `y` (this step's output),
  /// `w0` (the direction's weights), `h` and `next` (the state, padded) and `extra`, scratch after them.
  func function(
    _ kernel: Kernel,
    _ program: KernelProgram,
    _ lanes: Int,
    output: Int,
    start: String,
    body: String,
    finish: String
  ) -> String {
    let speller = ScalarSpeller(kernel, in: program)
    let padded = padded(lanes)
    let reverse = reversesFirst ? "1" : "d == 1"
    return """
      static void $symbol(
        const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end) {
        \(speller.prologue(kernel, in: program).replacing("\n", with: "\n  "))
        enum { H = \(hidden), HP = \(padded), G = \(gates), D = \(directions) };
        const int64_t S = \(speller.sizes.spell(steps)), B = \(speller.sizes.spell(batch));
        for (int64_t t = begin; t < end; t++) {
          const int64_t d = t / B, b = t % B;
          const float *const w0 = p1 + d * (HP * G * H);
          float *h = (float *)(void *)scratch, *next = h + HP, *const extra = next + HP;
          memset(scratch, 0, sizeof(float) * HP * 5);
      \(start)
          for (int64_t n = 0; n < S; n++) {
            const int64_t step = \(reverse) ? S - 1 - n : n;
            const float *const x = p0 + ((step * B + b) * D + d) * (G * H);
            float *const y = p\(output) + ((step * D + d) * B + b) * H;
      \(body)
            float *const swap = h;
            h = next, next = swap;
          }
      \(finish)
        }
      }

      """
  }

  func emitted(_ routine: Routine, _ source: String, _ program: KernelProgram, _ device: DeviceDescription)
    -> EmittedKernel
  {
    let name = device.name.replacing("-", with: "_").replacing(".", with: "_")
    return EmittedKernel(
      symbol: "mlc_fp32_\(routine.name)__\(name)",
      source: source,
      tasks: SizeSpelling(program).spell(batch * Dim(directions)),
      packed: [1: packed(device.lanes)],
      scratchBytes: padded(device.lanes) * 4 * 5
    )
  }
}
