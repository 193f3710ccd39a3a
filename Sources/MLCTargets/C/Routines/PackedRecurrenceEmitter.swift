import MLCCore
import MLCKernels

/// Emits one kind of packed recurrence: its cell is all that kinds differ in.
protocol PackedRecurrenceEmitter: RoutineEmitter {
  /// What kernels are called, gates of a unit, parameters of a kernel.
  static var name: String { get }
  static var gates: Int { get }
  static var params: Int { get }
  var packed: Routine.PackedRecurrence { get }
  func cell(_ recurrence: PackedRecurrence, on device: DeviceDescription) -> PackedRecurrence.Cell
}

extension PackedRecurrenceEmitter {
  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    do { try recurrence(kernel, in: program).checkBlocks() } catch { return error }
    return nil
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let recurrence = try recurrence(kernel, in: program)
    return try recurrence.emitted(Self.name, cell(recurrence, on: device), kernel, in: program, on: device)
  }

  private func recurrence(_ kernel: Kernel, in program: KernelProgram) throws(Diagnostic) -> PackedRecurrence {
    try PackedRecurrence(packed, gates: Self.gates, params: Self.params, kernel, in: program)
  }
}
