import MLCCore
import MLCKernels

/// One task.
struct NonZeroEmitter: RoutineEmitter {
  let count: Dim

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: 3, in: program)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let body: CCode = """
      const int64_t N = \(frame.size(count));
      if (begin >= end) return;
      int64_t n = 0;
      for (int64_t i = 0; i < N; i++) {
        if (\(StoredElement(frame.dtype(0)).read("p0[i]")) != 0) p1[n++] = i;
      }
      p2[0] = n;
      """
    return frame.emitted(tasks: "1") { _ in body }
  }
}
