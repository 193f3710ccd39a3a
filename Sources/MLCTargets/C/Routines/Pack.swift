import MLCCore
import MLCKernels

/// A task is eight elements, which fill whole bytes.
struct PackEmitter: RoutineEmitter {
  let count: Dim

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    guard kernel.params.count == 2, program[kernel.params[1].tensor].dtype.isPacked else {
      return Diagnostic("target.routine", "packing has parameters of other types", kind: .bug)
    }
    return nil
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let (bytes, packed) = (StoredElement(frame.dtype(0)), StoredElement(frame.dtype(1)))
    let width = packed.dtype.bitWidth
    let value = bytes.read("p0[t * 8 + k]")
    let code = packed.narrowFloat.map { "mlc_\($0)_f32(\(value))" } ?? "(uint8_t)\(value)"
    let body: CCode = """
      const int64_t N = \(frame.size(count));
      for (int64_t t = begin; t < end; t++) {
        const int64_t n = mlc_min_i64(N - t * 8, 8);
        uint64_t bits = 0;
        for (int64_t k = 0; k < n; k++) bits |= (uint64_t)(\(code) & \((1 << width) - 1)) << (k * \(width));
        for (int64_t b = 0; b < (n * \(width) + 7) / 8; b++) p1[t * \(width) + b] = (uint8_t)(bits >> (8 * b));
      }
      """
    return frame.emitted(tasks: "(\(frame.size(count)) + 7) / 8") { _ in body }
  }
}
