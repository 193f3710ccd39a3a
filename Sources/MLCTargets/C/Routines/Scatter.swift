import MLCCore
import MLCKernels

/// Updates to rows of y `[P, L]`, read and written, in order: int64 positions `[U]` among the rows, updates `[U, L]`;
/// sizes `[P, L, U]`. The option `mode` is `update`, `add`, `sub`, `mul`, `div`, `max` or `min`. A position outside is
/// a fault. One task.
struct ScatterRoutine: RoutineEmitter {
  func obstacle(to routine: Routine, _ kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    if Self.combined(routine.options["mode"], .float32) == nil {
      return Diagnostic("target.scatter", "there is no mode '\(routine.options["mode"] ?? "")'", kind: .bug)
    }
    return RoutineFrame.obstacle(routine, params: 3, sizes: 3, kernel, program)
  }

  private static func combined(_ mode: String?, _ dtype: DType) -> Scalar? {
    let old = Scalar.load(param: 0, [.axis(0), .axis(1)])
    let new = Scalar.load(param: 2, [.axis(2), .axis(1)])
    switch mode {
    case "update": return new
    case "add": return .binary(dtype == .bool ? .logicalOr : .add, old, new)
    case "sub": return old - new
    case "mul": return old * new
    case "div": return old / new
    case "max": return .binary(.max, old, new)
    case "min": return .binary(.min, old, new)
    default: return nil
    }
  }

  func emit(_ routine: Routine, _ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription)
    throws(Diagnostic) -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    var speller = ScalarSpeller(kernel, in: program)
    for (axis, name) in ["row", "l", "u"].enumerated() { speller.name(axis, name) }
    let value = Self.combined(routine.options["mode"], frame.dtype(0))!
    let sizes = routine.sizes.map { frame.size($0) }
    let body = """
      const int64_t P = \(sizes[0]), L = \(sizes[1]), U = \(sizes[2]);
      for (int64_t u = 0; begin < end && u < U; u++) {
        if ((uint64_t)p1[u] >= (uint64_t)P) { mlc_fault_set(frame->fault, MLC_FAULT_INDEX); return; }
        const int64_t row = p1[u];
        for (int64_t l = 0; l < L; l++) \(speller.store(0, [.axis(0), .axis(1)], value))
      }
      """
    return frame.emitted(body, tasks: "1")
  }
}
