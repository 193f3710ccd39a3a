import MLCCore
import MLCKernels

/// One task a line.
struct CumsumEmitter: RoutineEmitter {
  let cumsum: Routine.Cumsum

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: 2, in: program)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let isFloat = frame.dtype(0).isFloat
    var speller = ScalarSpeller(kernel, in: program)
    for (axis, name) in ["o", "i", "j"].enumerated() { speller.name(axis, name) }
    let place: [Index] = [.axis(0), .axis(1), .axis(2)]
    let element = speller.spell(Scalar.load(param: 0, place))
    speller.stages = [cumsum.exclusive ? "sum" : "next"]
    speller.stageTypes = [isFloat ? .float64 : .int64]
    let body: CCode = """
      const int64_t N = \(frame.size(cumsum.lines.length)), I = \(frame.size(cumsum.lines.inner));
      for (int64_t t = begin; t < end; t++) {
        const int64_t o = t / I, j = t % I;
        \(isFloat ? "double" : "int64_t") sum = 0;
        for (int64_t n = 0; n < N; n++) {
          const int64_t i = \(cumsum.reverse ? "N - 1 - n" : "n");
          const \(isFloat ? "double" : "int64_t") next = sum + \(element);
          \(speller.store(1, place, .stage(0)))
          sum = next;
        }
      }
      """
    return frame.emitted(tasks: frame.size(cumsum.lines.outer * cumsum.lines.inner)) { _ in body }
  }
}
