import MLCCore
import MLCKernels

/// One task for each direction and batch element.
struct RecurrenceEmitter: RoutineEmitter {
  let recurrence: Routine.Recurrence

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    if (1...65_536).contains(recurrence.hidden) { return nil }
    return Diagnostic("target.recurrence", "the hidden size is not a number up to 65536", kind: .unsupported)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let data = program[kernel.params[recurrence.params.y].tensor].dtype
    return EmittedKernel(
      KernelName(data, kernel.family, on: device),
      source: { [recurrence] symbol in
        RecurrenceText(recurrence: recurrence, kernel: kernel, program: program, data: data, symbol: symbol).source
      },
      tasks: SizeSpelling(program).spell(recurrence.batch * Dim(recurrence.direction.count)),
      scratchBytes: (recurrence.hidden * (4 + 2 * recurrence.cell.gateCount) + 8) * 8
    )
  }
}
