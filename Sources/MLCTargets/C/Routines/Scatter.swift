import MLCCore
import MLCKernels

/// One task.
struct ScatterEmitter: RoutineEmitter {
  let scatter: Routine.Scatter

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: 3, in: program)
  }

  private func combined(_ dtype: DType) -> Scalar {
    let old = Scalar.load(param: 0, [.axis(0), .axis(1)])
    let new = Scalar.load(param: 2, [.axis(2), .axis(1)])
    switch scatter.mode {
    case .update: return new
    case .add: return .binary(dtype == .bool ? .logicalOr : .add, old, new)
    case .sub: return old - new
    case .mul: return old * new
    case .div: return old / new
    case .max: return .binary(.max, old, new)
    case .min: return .binary(.min, old, new)
    }
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    var speller = ScalarSpeller(kernel, in: program)
    for (axis, name) in ["row", "l", "u"].enumerated() { speller.name(axis, name) }
    let value = combined(frame.dtype(0))
    let (rows, length) = (frame.size(scatter.rows), frame.size(scatter.length))
    let body: CCode = """
      const int64_t P = \(rows), L = \(length), U = \(frame.size(scatter.updates));
      for (int64_t u = 0; begin < end && u < U; u++) {
        if ((uint64_t)p1[u] >= (uint64_t)P) { mlc_fault_set(frame->fault, MLC_FAULT_INDEX); return; }
        const int64_t row = p1[u];
        for (int64_t l = 0; l < L; l++) \(speller.store(0, [.axis(0), .axis(1)], value))
      }
      """
    return frame.emitted(tasks: "1") { _ in body }
  }
}
