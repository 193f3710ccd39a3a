import MLCCore
import MLCKernels

/// A line's boxes are a heap by falling score; each taken is compared with those kept, a panel of them at a time.
struct SuppressionEmitter: RoutineEmitter {
  let suppression: Routine.Suppression
  private var panel: Int { Routine.Suppression.panel }
  /// The first parameter that is written.
  private var order: Int { suppression.isLeast ? 5 : 4 }

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    RoutineFrame.obstacle(to: kernel, params: order + 4, in: program)
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    return frame.emitted(
      tasks: frame.size(suppression.tasks),
      helpers: { key($0) + sift($0) + corners(StoredElement(frame.dtype(0)), $0) + overlaps($0) },
      body: { body(frame, $0) }
    )
  }

  private func body(_ frame: RoutineFrame, _ symbol: String) -> CCode {
    let (lines, stored) = (suppression.lines, StoredElement(frame.dtype(1)))
    let score = suppression.isLeast ? "const float least = \(stored.read("p4[0]"));" : ""
    return """
      const int64_t N = \(frame.size(suppression.boxes)), C = \(frame.size(suppression.classes));
      const int64_t L = \(frame.size(lines)), M = \(frame.size(suppression.limit));
      const int64_t T = \(frame.size(suppression.tasks)), limit = mlc_min_i64(M, p2[0]);
      const float share = \(stored.read("p3[0]"));
      \(score)
      if (N > UINT32_MAX) { mlc_fault_set(frame->fault, MLC_FAULT_SIZE); return; }
      for (int64_t t = begin; t < end; t++) {
        uint64_t *const heap = (uint64_t *)(p\(order) + t * N);
        float *const sides = p\(order + 1) + t * \(frame.size(suppression.sides));
        for (int64_t line = t; line < L; line += T) {
          const \(frame.dtype(0).cStorageType) *const boxes = p0 + line / C * N * 4;
          const \(frame.dtype(1).cStorageType) *const x = p1 + line * N;
          int64_t n = 0, kept = 0;
          \(candidates(stored, symbol))
          for (int64_t r = n / 2 - 1; limit > 0 && r >= 0; r--) \(symbol)_sift(heap, n, r, heap[r]);
          while (n > 0 && kept < limit) {
            const int64_t i = (uint32_t)heap[0];
            if (--n > 0) \(symbol)_sift(heap, n, 0, heap[n]);
            float own[5];
            \(symbol)_corners(boxes + i * 4, own);
            if (\(symbol)_overlaps(sides, kept, own, share)) continue;
            float *const place = sides + kept / \(panel) * \(panel * 5) + kept % \(panel);
            for (int k = 0; k < \(panel * 5) && kept % \(panel) == 0; k++) place[k] = 0;
            for (int k = 0; k < 5; k++) place[k * \(panel)] = own[k];
            p\(order + 2)[line * M + kept++] = i;
          }
          p\(order + 3)[line] = kept;
        }
      }
      """
  }

  /// Fills the heap, in any order. Blocks without a candidate, which are most in a detector, are passed over.
  private func candidates(_ stored: StoredElement, _ symbol: String) -> CCode {
    let holds = suppression.isLeast ? "u > least" : "u == u"
    return """
      for (int64_t from = 0; from < N; from += \(panel)) {
        const int64_t count = mlc_min_i64(\(panel), N - from);
        if (count == \(panel)) {
          int any = 0;
          for (int64_t k = 0; k < \(panel); k++) {
            const float u = \(stored.read("x[from + k]"));
            any |= \(holds);
          }
          if (!any) continue;
        }
        for (int64_t i = from; i < from + count; i++) {
          const float u = \(stored.read("x[i]"));
          heap[n] = (uint64_t)\(symbol)_key(u) << 32 | (uint64_t)i;
          n += \(holds);
        }
      }
      """
  }

  private func key(_ symbol: String) -> CCode {
    OrderedKey(dtype: .float32, isFalling: true).function("\(symbol)_key")
  }

  /// Puts `e` at its place in the heap below `r`, whose least element comes first.
  private func sift(_ symbol: String) -> CCode {
    """
    static void \(symbol)_sift(uint64_t *heap, int64_t n, int64_t r, uint64_t e) {
      int64_t hole = r, child;
      while ((child = 2 * hole + 2) < n) {
        child -= heap[child - 1] < heap[child];
        heap[hole] = heap[child], hole = child;
      }
      if (child == n) heap[hole] = heap[child - 1], hole = child - 1;
      for (int64_t up; hole > r && heap[up = (hole - 1) / 2] > e; hole = up) heap[hole] = heap[up];
      heap[hole] = e;
    }
    """
  }

  /// The sides of a box, the lower ones first, and its area, which is NaN where one of its numbers is.
  private func corners(_ stored: StoredElement, _ symbol: String) -> CCode {
    let sides: CCode =
      suppression.isCentred
      ? """
      const float h = n[3] * 0.5f, w = n[2] * 0.5f;
      own[0] = n[1] - h, own[1] = n[0] - w, own[2] = n[1] + h, own[3] = n[0] + w;
      """
      : """
      for (int k = 0; k < 2; k++) {
        own[k] = n[k] < n[k + 2] ? n[k] : n[k + 2];
        own[k + 2] = n[k] < n[k + 2] ? n[k + 2] : n[k];
      }
      """
    return """
      FN void \(symbol)_corners(const \(stored.dtype.cStorageType) *b, float *own) {
        #pragma clang fp contract(off)
        float n[4];
        for (int k = 0; k < 4; k++) n[k] = \(stored.read("b[k]"));
        \(sides)
        own[4] = (own[2] - own[0]) * (own[3] - own[1]);
      }
      """
  }

  /// Whether a box shares more than `share` with one of those kept. Boxes of area 0 fill the last panel.
  private func overlaps(_ symbol: String) -> CCode {
    """
    static int \(symbol)_overlaps(const float *b, int64_t kept, const float *own, float share) {
      #pragma clang fp contract(off)
      const float y = own[0], x = own[1], y2 = own[2], x2 = own[3], area = own[4];
      for (int64_t from = 0; from < kept; from += \(panel), b += \(5 * panel)) {
        int any = 0;
        for (int k = 0; k < \(panel); k++) {
          const float low = b[k], left = b[\(panel) + k], high = b[\(2 * panel) + k], right = b[\(3 * panel) + k];
          const float height = (high < y2 ? high : y2) - (low > y ? low : y);
          const float width = (right < x2 ? right : x2) - (left > x ? left : x);
          const float shared = height * width, own = b[\(4 * panel) + k], both = own + area, covered = both - shared;
          any |= (height > 0) & (width > 0) & (shared > 0) & (own > 0) & (area > 0) & (covered > 0)
            & (shared / covered > share);
        }
        if (any) return 1;
      }
      return 0;
    }
    """
  }
}
