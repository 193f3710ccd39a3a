import MLCCore
import MLCKernels

/// The recurrent part of a GRU, gates in the order z, r, h (ONNX), sigmoid and tanh.
///
/// Parameters, all fp32: gates `[S, B, D·3H]` (x·W plus every bias except the one of parameter 2), R `[D, 3H, H]`,
/// the recurrent bias of the h gate `[D, H]`, initial h `[D, B, H]`, then stored: Y `[S, D, B, H]`, Y_h `[D, B, H]`.
/// `h = (1 − z)·ĥ + z·h`, where ĥ is `tanh(x + (r·h)·Rᵀ + bias)`, or with the option `linear_before_reset` of `1`
/// `tanh(x + r·(h·Rᵀ + bias))`.
struct GRUEmitter: PackedRecurrenceEmitter {
  static let name = "gru"
  static let gates = 3
  static let params = 6
  let packed: Routine.PackedRecurrence
  let linearBeforeReset: Bool

  func cell(_ recurrence: PackedRecurrence, on device: DeviceDescription) -> PackedRecurrence.Cell {
    PackedRecurrence.Cell(
      output: 4,
      start: "__builtin_memcpy(h, p3 + t * H, sizeof(float) * H);",
      sweeps: linearBeforeReset ? [resetLast(recurrence, device)] : resetFirst(recurrence, device),
      finish: "__builtin_memcpy(p5 + t * H, h, sizeof(float) * H);",
      fewestSums: linearBeforeReset ? 3 : 1
    )
  }

  private typealias Sum = PackedRecurrence.Sum

  private static let bias: CCode = "const float *const bias = p2 + d * H;"

  private func resetLast(_ recurrence: PackedRecurrence, _ device: DeviceDescription) -> CCode {
    Self.bias
      + recurrence.each(
        [
          Sum("z", 0) { "mlc_ld_part(x + \($0), \($1))" }, Sum("r", 1) { "mlc_ld_part(x + H + \($0), \($1))" },
          Sum("g", 2) { "mlc_ld_part(bias + \($0), \($1))" },
        ],
        by: "now",
        on: device,
        then: """
          z = mlc_sigmoid_v(z);
          g = mlc_tanh_v(mlc_ld_part(x + 2 * H + j, part) + mlc_sigmoid_v(r) * g);
          const V out = (1.0f - z) * g + z * mlc_ld_part(h + j, part);
          mlc_st_part(next + j, out, part);
          mlc_st_part(y + j, out, part);
          """
      )
  }

  private func resetFirst(_ recurrence: PackedRecurrence, _ device: DeviceDescription) -> [CCode] {
    let gates = recurrence.each(
      [Sum("z", 0) { "mlc_ld_part(x + \($0), \($1))" }, Sum("r", 1) { "mlc_ld_part(x + H + \($0), \($1))" }],
      by: "now",
      on: device,
      then: """
        mlc_st_part(extra + j, mlc_sigmoid_v(z), part);
        mlc_st_part(extra + HP + j, mlc_sigmoid_v(r) * mlc_ld_part(h + j, part), part);
        """
    )
    let results = recurrence.each(
      [Sum("g", 2) { "mlc_ld_part(x + 2 * H + \($0), \($1)) + mlc_ld_part(bias + \($0), \($1))" }],
      by: "3 * HP",
      on: device,
      then: """
        const V z = mlc_ld_part(extra + j, part);
        const V out = (1.0f - z) * mlc_tanh_v(g) + z * mlc_ld_part(h + j, part);
        mlc_st_part(next + j, out, part);
        mlc_st_part(y + j, out, part);
        """
    )
    return [gates, Self.bias + results]
  }
}
