import MLCCore
import MLCKernels

/// One task.
struct BitCastEmitter: RoutineEmitter {
  let count: Dim

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: 2, in: program)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let bytes = "(uint64_t)(\(frame.size(count))) * sizeof *p1"
    let body: CCode = "if (begin < end) __builtin_memcpy(p1, p0, \(bytes));"
    return frame.emitted(tasks: "1") { _ in body }
  }
}
