import MLCCore
import MLCKernels

/// The C of one named routine.
package protocol RoutineEmitter: Sendable {
  func obstacle(to routine: Routine, _ kernel: Kernel, in program: KernelProgram) -> Diagnostic?
  func emit(_ routine: Routine, _ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
}

package enum RoutineTable {
  package static let emitters: [String: any RoutineEmitter] = [
    "lstm": LSTM(), "gru": GRU(), "recurrent": RecurrentRoutine(), "cumsum": CumsumRoutine(),
    "topk": TopKRoutine(), "non_zero": NonZeroRoutine(), "scatter": ScatterRoutine(),
  ]
}
