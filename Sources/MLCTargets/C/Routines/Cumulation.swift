import MLCCore
import MLCKernels

/// One task for so many lines beside each other, which vectors go along; for a line, where none lie beside it.
struct CumulationEmitter: RoutineEmitter {
  let cumulation: Routine.Cumulation
  private static let width = 512

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
    speller.stages = [cumulation.exclusive ? "total[k]" : "next"]
    speller.stageTypes = [isFloat ? .float64 : .int64]
    let type = isFloat ? "double" : "int64_t"
    let width = cumulation.lines.inner == 1 ? 1 : Self.width
    let tasks = cumulation.lines.outer * cumulation.lines.inner.ceilDiv(Dim(width))
    let body: CCode = """
      const int64_t N = \(frame.size(cumulation.lines.length)), I = \(frame.size(cumulation.lines.inner));
      const int64_t parts = (I + \(width - 1)) / \(width);
      for (int64_t t = begin; t < end; t++) {
        const int64_t o = t / parts, from = t % parts * \(width);
        const int64_t count = mlc_min_i64(\(width), I - from);
        \(type) total[\(width)];
        for (int64_t k = 0; k < \(width); k++) total[k] = \(neutral);
        for (int64_t n = 0; n < N; n++) {
          \(width == 1 ? [] : fetch(speller, place, frame.dtype(0)))
          const int64_t i = \(cumulation.reverse ? "N - 1 - n" : "n");
          for (int64_t k = 0; k < count; k++) {
            const int64_t j = from + k;
            const \(type) next = total[k] \(sign) \(element);
            \(speller.store(1, place, .stage(0)))
            total[k] = next;
          }
        }
      }
      """
    return frame.emitted(tasks: frame.size(tasks)) { _ in body }
  }

  /// Asks for what the next step reads and writes: parts of rows are too short for the processor to see them coming.
  private func fetch(_ speller: ScalarSpeller, _ place: [Index], _ dtype: DType) -> CCode {
    let next = cumulation.reverse ? "N - 1 - next" : "next"
    func address(_ param: Int) -> String { "p\(param) + \(speller.spell(speller.address(param, place)))" }
    return """
      if (n + 1 < N) {
        const int64_t next = n + 1, i = \(next);
        for (int64_t k = 0; k < count; k += \(512 / dtype.bitWidth)) {
          const int64_t j = from + k;
          __builtin_prefetch(\(address(0)));
          __builtin_prefetch(\(address(1)), 1, 3);
        }
      }
      """
  }
}
