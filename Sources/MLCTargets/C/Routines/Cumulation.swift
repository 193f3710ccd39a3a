import MLCCore
import MLCKernels

/// One task a line.
struct CumulationEmitter: RoutineEmitter {
  let cumulation: Routine.Cumulation

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: 2, in: program)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let isFloat = frame.dtype(0).isFloat
    let (neutral, sign) = cumulation.kind == .sum ? (0, "+") : (1, "*")
    var speller = ScalarSpeller(kernel, in: program)
    for (axis, name) in ["o", "i", "j"].enumerated() { speller.name(axis, name) }
    let place: [Index] = [.axis(0), .axis(1), .axis(2)]
    let element = speller.spell(Scalar.load(param: 0, place))
    speller.stages = [cumulation.exclusive ? "total" : "next"]
    speller.stageTypes = [isFloat ? .float64 : .int64]
    let body: CCode = """
      const int64_t N = \(frame.size(cumulation.lines.length)), I = \(frame.size(cumulation.lines.inner));
      for (int64_t t = begin; t < end; t++) {
        const int64_t o = t / I, j = t % I;
        \(isFloat ? "double" : "int64_t") total = \(neutral);
        for (int64_t n = 0; n < N; n++) {
          const int64_t i = \(cumulation.reverse ? "N - 1 - n" : "n");
          const \(isFloat ? "double" : "int64_t") next = total \(sign) \(element);
          \(speller.store(1, place, .stage(0)))
          total = next;
        }
      }
      """
    return frame.emitted(tasks: frame.size(cumulation.lines.outer * cumulation.lines.inner)) { _ in body }
  }
}
