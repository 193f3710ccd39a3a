import MLCCore
import MLCKernels

/// One task.
struct ListingEmitter: RoutineEmitter {
  let batches: Dim, classes: Dim, limit: Dim

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: 4, in: program)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let body: CCode = """
      const int64_t B = \(frame.size(batches)), C = \(frame.size(classes)), M = \(frame.size(limit));
      if (begin >= end) return;
      int64_t n = 0;
      for (int64_t line = 0; line < B * C; line++) {
        for (int64_t k = 0; k < p1[line]; k++, n++) {
          p2[3 * n] = line / C, p2[3 * n + 1] = line % C, p2[3 * n + 2] = p0[line * M + k];
        }
      }
      p3[0] = n;
      """
    return frame.emitted(tasks: "1") { _ in body }
  }
}
