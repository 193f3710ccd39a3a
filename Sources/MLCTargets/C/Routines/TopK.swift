import MLCCore
import MLCKernels

/// Candidates are gathered while a line is read, and cut to the first k when there is no room for more; what cannot be
/// among them is passed over, many elements at a time. Those left are sorted.
///
/// A candidate is a number: its key above its position. Keys order them as the elements are ordered.
struct TopKEmitter: RoutineEmitter {
  let topK: Routine.TopK
  /// Elements that are compared at a time.
  private static let block = 16
  /// Groups that a line is dealt out to, at most: a power of two.
  private static let mostGroups = 512

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    if let obstacle = RoutineFrame.obstacle(to: kernel, params: 4, in: program) { return obstacle }
    let indices = program[kernel.params[2].tensor].dtype
    if [.int32, .int64].contains(indices) { return nil }
    return Diagnostic("target.topk", "indices of \(indices.rawValue)", kind: .bug)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let key = OrderedKey(dtype: frame.dtype(0), isFalling: !topK.ascending)
    return frame.emitted(
      tasks: frame.size(topK.tasks),
      helpers: {
        key.function("\($0)_key") + key.cut("\($0)_cut") + key.sort("\($0)_sort") + bound(key, $0) + gather(key, $0)
      },
      body: { body(frame, key, $0) }
    )
  }

  private func body(_ frame: RoutineFrame, _ key: OrderedKey, _ symbol: String) -> CCode {
    let lines = topK.lines
    return """
      const int64_t N = \(frame.size(lines.length)), I = \(frame.size(lines.inner)), K = \(frame.size(topK.count));
      const int64_t L = \(frame.size(lines.outer)) * I, T = \(frame.size(topK.tasks)), R = \(frame.size(topK.room));
      if (K < 0 || K > N || N > UINT32_MAX) { mlc_fault_set(frame->fault, MLC_FAULT_SIZE); return; }
      for (int64_t t = begin; t < end && K > 0; t++) {
        \(key.entry) *const room = (\(key.entry) *)p3 + 2 * R * t;
        for (int64_t line = t; line < L; line += T) {
          const int64_t o = line / I, j = line % I;
          const \(frame.dtype(0).cStorageType) *const x = p0 + o * N * I + j;
          const int64_t n = \(symbol)_gather(x, I, N, K, R, room);
          const \(key.entry) *const sorted = \(symbol)_sort(room, room + R, n);
          for (int64_t r = 0; r < K; r++) {
            const int64_t i = (int64_t)(\(key.type))sorted[r];
            p1[(o * K + r) * I + j] = x[i * I];
            p2[(o * K + r) * I + j] = i;
          }
        }
      }
      """
  }

  /// A key that at least `K` elements stay below, few more where the line is in no order; 0 where finding it does not
  /// pay. The line is dealt out to groups, and `K` of these have an element as low as the `K`-th of their first ones.
  private func bound(_ key: OrderedKey, _ symbol: String) -> CCode {
    let (type, stored) = (key.type, StoredElement(key.dtype))
    return """
      static \(type) \(symbol)_bound(const \(key.dtype.cStorageType) *x, int64_t N, int64_t K, int64_t R) {
        \(type) least[\(Self.mostGroups)], last = 0;
        int64_t groups = \(Self.block);
        while (2 * groups <= mlc_min_i64(R, \(Self.mostGroups))) groups *= 2;
        if (groups < 2 * K || N < 4 * groups) return 0;
        for (int64_t g = 0; g < groups; g++) least[g] = ~(\(type))0;
        for (int64_t i = 0; i + groups <= N; i += groups) {
          for (int64_t g = 0; g < groups; g++) {
            const \(type) own = \(symbol)_key(\(stored.read("x[i + g]")));
            least[g] = own < least[g] ? own : least[g];
          }
        }
        for (int bit = \(key.bits - 1); bit >= 0; bit--) {
          const \(type) trial = last | (\(type))1 << bit;
          \(type) below = 0;
          for (int64_t g = 0; g < groups; g++) below += least[g] < trial;
          if (below < (\(type))K) last = trial;
        }
        return last + 1;
      }
      """
  }

  /// Puts candidates, the first k of the line among them, into `a` in the order of their positions, and says how many.
  private func gather(_ key: OrderedKey, _ symbol: String) -> CCode {
    let (type, entry, stored) = (key.type, key.entry, StoredElement(key.dtype))
    return """
      static int64_t \(symbol)_gather(
          const \(key.dtype.cStorageType) *x, int64_t I, int64_t N, int64_t K, int64_t R, \(entry) *a) {
        \(type) last = I == 1 ? \(symbol)_bound(x, N, K, R) : 0;
        int64_t n = last ? 0 : mlc_min_i64(N, R), i = n;
        for (int64_t k = 0; k < n; k++) {
          a[k] = (\(entry))\(symbol)_key(\(stored.read("x[k * I]"))) << \(key.bits) | (\(entry))k;
        }
        if (!last && i < N) last = \(symbol)_cut(a, n, K), n = K;
        for (int64_t count; i < N; i += count) {
          count = mlc_min_i64(\(Self.block), N - i);
          if (I == 1 && count == \(Self.block)) {
            int any = 0;
            for (int64_t k = 0; k < \(Self.block); k++) {
              any |= \(symbol)_key(\(stored.read("x[i + k]"))) < last;
            }
            if (!any) continue;
          }
          if (n + count > R) last = \(symbol)_cut(a, n, K), n = K;
          for (int64_t k = i; k < i + count; k++) {
            const \(type) own = \(symbol)_key(\(stored.read("x[k * I]")));
            a[n] = (\(entry))own << \(key.bits) | (\(entry))k;
            n += own < last;
          }
        }
        if (n <= 2 * K + 64) return n;
        \(symbol)_cut(a, n, K);
        return K;
      }
      """
  }
}
