import MLCCore
import MLCKernels

/// One task a line; the indices are a heap while the line is read.
struct TopKEmitter: RoutineEmitter {
  let topK: Routine.TopK

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    if let obstacle = RoutineFrame.obstacle(to: kernel, params: 3, in: program) { return obstacle }
    let indices = program[kernel.params[2].tensor].dtype
    if [.int32, .int64].contains(indices) { return nil }
    return Diagnostic("target.topk", "indices of \(indices.rawValue)", kind: .bug)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let lines = topK.lines
    let index = frame.dtype(2).cStorageType
    return frame.emitted(
      tasks: frame.size(lines.outer * lines.inner),
      helpers: { helpers(frame.dtype(0), index, $0) },
      body: { body(frame, index, $0) }
    )
  }

  private func body(_ frame: RoutineFrame, _ index: String, _ symbol: String) -> CCode {
    let lines = topK.lines
    return """
      const int64_t N = \(frame.size(lines.length)), I = \(frame.size(lines.inner)), K = \(frame.size(topK.count));
      if (K < 0 || K > N) { mlc_fault_set(frame->fault, MLC_FAULT_SIZE); return; }
      for (int64_t t = begin; t < end; t++) {
        const int64_t o = t / I, j = t % I;
        const \(frame.dtype(0).cStorageType) *const x = p0 + o * N * I + j;
        \(index) *const heap = p2 + o * K * I + j;
        for (int64_t r = 0; r < K; r++) heap[r * I] = (\(index))r;
        for (int64_t r = K / 2 - 1; r >= 0; r--) \(symbol)_sift(x, heap, I, K, r);
        for (int64_t i = K; K > 0 && i < N; i++) {
          if (!\(symbol)_before(x, I, i, heap[0])) continue;
          heap[0] = (\(index))i;
          \(symbol)_sift(x, heap, I, K, 0);
        }
        for (int64_t n = K - 1; n > 0; n--) {
          const \(index) last = heap[0];
          heap[0] = heap[n * I], heap[n * I] = last;
          \(symbol)_sift(x, heap, I, n, 0);
        }
        for (int64_t r = 0; r < K; r++) p1[(o * K + r) * I + j] = x[heap[r * I] * I];
      }
      """
  }

  private func helpers(_ dtype: DType, _ index: String, _ symbol: String) -> CCode {
    let (element, stored) = (dtype.cStorageType, StoredElement(dtype))
    func isLess(_ a: String, _ b: String) -> String {
      dtype.isFloat ? "(\(a) < \(b) || (\(b) != \(b) && \(a) == \(a)))" : "(\(a) < \(b))"
    }
    let (first, second) = topK.ascending ? ("u", "v") : ("v", "u")
    return """
      FN int \(symbol)_before(const \(element) *x, int64_t I, int64_t a, int64_t b) {
        const \(dtype.cType) u = \(stored.read("x[a * I]")), v = \(stored.read("x[b * I]"));
        if (\(isLess(first, second))) return 1;
        if (\(isLess(second, first))) return 0;
        return a < b;
      }
      FN void \(symbol)_sift(const \(element) *x, \(index) *heap, int64_t I, int64_t n, int64_t r) {
        for (int64_t child; (child = 2 * r + 1) < n; r = child) {
          if (child + 1 < n && \(symbol)_before(x, I, heap[child * I], heap[(child + 1) * I])) child++;
          if (!\(symbol)_before(x, I, heap[r * I], heap[child * I])) return;
          const \(index) up = heap[child * I];
          heap[child * I] = heap[r * I], heap[r * I] = up;
        }
      }
      """
  }
}
