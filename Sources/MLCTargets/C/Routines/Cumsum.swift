import MLCCore
import MLCKernels

/// Running sums along the middle axis: x `[O, N, I]`, stored `[O, N, I]`; sizes the same. Options `exclusive` and
/// `reverse`, `1` or `0`. Floats add in double and each sum rounds once. One task a line.
struct CumsumRoutine: RoutineEmitter {
  func obstacle(to routine: Routine, _ kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(routine, params: 2, sizes: 3, kernel, program)
  }

  func emit(_ routine: Routine, _ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let isFloat = frame.dtype(0).isFloat
    var speller = ScalarSpeller(kernel, in: program)
    for (axis, name) in ["o", "i", "j"].enumerated() { speller.name(axis, name) }
    let place: [Index] = [.axis(0), .axis(1), .axis(2)]
    let element = speller.spell(Scalar.load(param: 0, place))
    let exclusive = routine.options["exclusive"] == "1"
    speller.stages = [exclusive ? "sum" : "next"]
    speller.stageTypes = [isFloat ? .float64 : .int64]
    let body = """
      const int64_t N = \(frame.size(routine.sizes[1])), I = \(frame.size(routine.sizes[2]));
      for (int64_t t = begin; t < end; t++) {
        const int64_t o = t / I, j = t % I;
        \(isFloat ? "double" : "int64_t") sum = 0;
        for (int64_t n = 0; n < N; n++) {
          const int64_t i = \(routine.options["reverse"] == "1" ? "N - 1 - n" : "n");
          const \(isFloat ? "double" : "int64_t") next = sum + \(element);
          \(speller.store(1, place, .stage(0)))
          sum = next;
        }
      }
      """
    return frame.emitted(body, tasks: frame.size(routine.sizes[0] * routine.sizes[2]))
  }
}
