import MLCCore
import MLCKernels

/// The recurrent part of a layer of one gate.
///
/// Parameters, all fp32: gates `[S, B, D·H]` (x·W plus both biases), R `[D, H, H]`, initial h `[D, B, H]`, then stored:
/// Y `[S, D, B, H]`, Y_h `[D, B, H]`. `h = f(x + h·Rᵀ)`, f the activation.
struct RNNEmitter: PackedRecurrenceEmitter {
  static let name = "rnn"
  static let gates = 1
  static let params = 5
  let packed: Routine.PackedRecurrence
  let activation: Routine.Activation

  func cell(_ recurrence: PackedRecurrence, on device: DeviceDescription) -> PackedRecurrence.Cell {
    PackedRecurrence.Cell(
      output: 3,
      start: "__builtin_memcpy(h, p2 + t * H, sizeof(float) * H);",
      sweeps: [
        recurrence.each(
          [PackedRecurrence.Sum("g", 0) { "mlc_ld_part(x + \($0), \($1))" }],
          by: "now",
          on: device,
          then: """
            const V out = \(function);
            mlc_st_part(next + j, out, part);
            mlc_st_part(y + j, out, part);
            """
        )
      ],
      finish: "__builtin_memcpy(p4 + t * H, h, sizeof(float) * H);",
      fewestSums: 1
    )
  }

  /// The activation of the vector `g`.
  private var function: String {
    switch activation {
    case .sigmoid: "mlc_sigmoid_v(g)"
    case .tanh: "mlc_tanh_v(g)"
    case .relu: "mlc_max_number_v(g, SPLAT(0.0f))"
    case .hardSigmoid: "mlc_min_number_v(mlc_max_number_v(0.2f * g + 0.5f, SPLAT(0.0f)), SPLAT(1.0f))"
    case .linear: "g"
    }
  }
}
