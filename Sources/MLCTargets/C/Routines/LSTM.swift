import MLCCore
import MLCKernels

/// The recurrent part of an LSTM, gates in the order i, o, f, c (ONNX), sigmoid and tanh.
///
/// Parameters, all fp32: gates `[S, B, D·4H]` (x·W plus both biases), R `[D, 4H, H]`, initial h and c `[D, B, H]`, then
/// stored: Y `[S, D, B, H]`, Y_h and Y_c `[D, B, H]`.
/// `C = σ(f)·c + σ(i)·tanh(g)`, `h = σ(o)·tanh(C)`, each gate `x + h·Rᵀ`.
struct LSTMEmitter: PackedRecurrenceEmitter {
  static let name = "lstm"
  static let gates = 4
  static let params = 7
  let packed: Routine.PackedRecurrence

  /// A vector of cells within their bounds.
  private func clipped(_ x: String) -> String {
    guard let clip = packed.cellClip else { return x }
    let (low, high) = (ScalarSpeller.literal(-clip, .float32), ScalarSpeller.literal(clip, .float32))
    return "mlc_select_v(\(x) > \(high), SPLAT(\(high)), mlc_select_v(\(x) < \(low), SPLAT(\(low)), \(x)))"
  }

  func cell(_ recurrence: PackedRecurrence, on device: DeviceDescription) -> PackedRecurrence.Cell {
    PackedRecurrence.Cell(
      output: 4,
      start: """
        __builtin_memcpy(h, p2 + t * H, sizeof(float) * H);
        __builtin_memcpy(extra, p3 + t * H, sizeof(float) * H);
        """,
      sweeps: [
        recurrence.each(
          zip(["i", "o", "f", "g"], ["", "H + ", "2 * H + ", "3 * H + "]).enumerated().map { index, gate in
            PackedRecurrence.Sum(gate.0, index) { j, part in "mlc_ld_part(x + \(gate.1)\(j), \(part))" }
          },
          by: "now",
          on: device,
          then: """
            float *const c = extra;
            const V sum = mlc_sigmoid_v(f) * LD(c + j) + mlc_sigmoid_v(i) * mlc_tanh_v(g);
            const V cell = \(clipped("sum"));
            const V out = mlc_sigmoid_v(o) * mlc_tanh_v(cell);
            mlc_st_part(c + j, cell, part);
            mlc_st_part(next + j, out, part);
            mlc_st_part(y + j, out, part);
            """
        )
      ],
      finish: """
        __builtin_memcpy(p5 + t * H, h, sizeof(float) * H);
        __builtin_memcpy(p6 + t * H, extra, sizeof(float) * H);
        """,
      fewestSums: 4
    )
  }
}
