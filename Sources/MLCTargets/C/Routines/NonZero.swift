import MLCCore
import MLCKernels

/// Where x `[N]` is not 0: stored are int64 positions `[N]`, of which the first n count, and n, int64 `[1]`; size
/// `[N]`.
struct NonZeroRoutine: RoutineEmitter {
  func obstacle(to routine: Routine, _ kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(routine, params: 3, sizes: 1, kernel, program)
  }

  func emit(_ routine: Routine, _ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let body = """
      const int64_t N = \(frame.size(routine.sizes[0]));
      if (begin >= end) return;
      int64_t n = 0;
      for (int64_t i = 0; i < N; i++) {
        if (\(RoutineFrame.value("p0[i]", frame.dtype(0))) != 0) p1[n++] = i;
      }
      p2[0] = n;
      """
    return frame.emitted(body, tasks: "1")
  }
}
