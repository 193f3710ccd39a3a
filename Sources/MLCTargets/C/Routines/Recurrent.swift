import MLCCore
import MLCKernels

/// The recurrent part of any `lstm`, `gru` or `rnn` (option `kind`), by MIL's definitions and gate orders.
///
/// Sizes `[S, B, H]`. Parameters by option: `gates` (x·W and its bias, `[S·B, D·G·H]`, fp32, or fp64 for fp64 data),
/// `weight0` and `weight1` (`[G·H, H]` a direction), `vector0` and `vector1` (peephole `[3·H]` or hidden bias `[H]`,
/// optional), `initial_h`, `initial_c`, `lengths` (int32 or int64 `[B]`), all optional, and the outputs `y`, `h`, `c`.
/// Activations and `clip` as in the operators; `output_sequence` `0` makes `y` the final h. One task for each direction
/// and batch element.
struct RecurrentRoutine: RoutineEmitter {
  func obstacle(to routine: Routine, _ kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    guard routine.sizes.count == 3, let hidden = routine.sizes[2].constant, hidden > 0, hidden <= 65_536 else {
      return Diagnostic("target.recurrence", "the hidden size is not a number up to 65536", kind: .unsupported)
    }
    for role in ["gates", "weight0", "y", "h"] where routine.options[role] == nil {
      return Diagnostic("target.recurrence", "routine 'recurrent' has no '\(role)'", kind: .bug)
    }
    return nil
  }

  func emit(_ routine: Routine, _ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    let text = RecurrentText(routine, kernel, program)
    let name = device.name.replacing("-", with: "_").replacing(".", with: "_")
    return EmittedKernel(
      symbol: "mlc_\(text.data.rawValue)_\(kernel.family)__\(name)",
      source: text.function,
      tasks: SizeSpelling(program).spell(routine.sizes[1] * Dim(text.directions)),
      scratchBytes: (text.hidden * (4 + 2 * text.gates) + 8) * 8
    )
  }
}
