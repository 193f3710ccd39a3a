import MLCCore
import MLCKernels

/// The recurrent part of a layer of one gate.
///
/// Parameters, all fp32: gates `[S, B, D·H]` (x·W plus both biases), R `[D, H, H]`, initial h `[D, B, H]`, then stored:
/// Y `[S, D, B, H]`, Y_h `[D, B, H]`. `h = f(x + h·Rᵀ)`, f the sigmoid, tanh or `max(x, 0)`.
struct RNNEmitter: RoutineEmitter {
  let packed: Routine.PackedRecurrence
  let activation: Routine.Activation

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    guard function != nil else {
      return Diagnostic("target.recurrence", "a packed recurrence with \(activation.rawValue)", kind: .unsupported)
    }
    do { try PackedRecurrence(packed, gates: 1, params: 5, kernel, in: program).checkBlocks() } catch { return error }
    return nil
  }

  /// The activation of the vector `g`; `nil` for one that has none.
  private var function: String? {
    switch activation {
    case .sigmoid: "mlc_sigmoid_v(g)"
    case .tanh: "mlc_tanh_v(g)"
    case .relu: "mlc_max_number_v(g, SPLAT(0.0f))"
    case .linear, .hardSigmoid: nil
    }
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let recurrence = try PackedRecurrence(packed, gates: 1, params: 5, kernel, in: program)
    let cell = PackedRecurrence.Cell(
      output: 3,
      start: """
        (void)extra;
        __builtin_memcpy(h, p2 + t * H, sizeof(float) * H);
        """,
      step: recurrence.each(
        [PackedRecurrence.Sum("g", 0) { "mlc_ld_part(x + \($0), \($1))" }],
        by: "h",
        on: device,
        then: """
          const V out = \(function ?? "g");
          mlc_st_part(next + j, out, part);
          mlc_st_part(y + j, out, part);
          """
      ),
      finish: "__builtin_memcpy(p4 + t * H, h, sizeof(float) * H);"
    )
    return try recurrence.emitted("rnn", cell, kernel, in: program, on: device)
  }
}
