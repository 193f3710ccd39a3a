/// The parts of a module's main file that are the same in every module.
enum CModuleText {
  static let sizes = """
    static inline int64_t mlc_floor_div(int64_t a, int64_t b) { return b > 0 ? a / b - (a % b < 0) : 0; }
    static inline int64_t mlc_max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
    static inline int64_t mlc_min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
    """

  /// What the module was made for; its bytes stand in a file of their own.
  static let identity = "__attribute__((visibility(\"hidden\"))) const uint8_t mlc_identity[32]"

  /// Runs one kernel. With a profile, counts its nanoseconds; after a fault, notes which step it was.
  static let step = """
    static uint64_t now(void) {
      struct timespec t;
      clock_gettime(CLOCK_MONOTONIC, &t);
      return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    }

    __attribute__((noinline)) static void run_step(
      const mlc_frame *f, int64_t step, mlc_kernel kernel, void *const *p, int64_t tasks) {
      if (tasks <= 0) return;
      uint64_t start = f->profile ? now() : 0;
      f->parallel(f->pool, kernel, f, p, tasks);
      if (f->profile) f->profile[step] += now() - start;
      if (__builtin_expect(*f->fault != 0, 0) && *f->fault >> 32 == 0) *f->fault |= (step + 1) << 32;
    }
    """

  /// First fit by decreasing size: `MemoryPlan.place` in C.
  static let plan = """
    static int32_t plan(
      int32_t count, const __int128 *wanted, const int32_t (*lives)[2], int64_t *offsets, int64_t *arena_bytes) {
      enum { alignment = 64 };
      const __int128 limit = (__int128)1 << 40;
      int32_t order[count], placed[count];
      int64_t size[count], total = 0;
      for (int32_t i = 0; i < count; ++i) {
        if (wanted[i] < 0 || wanted[i] > limit) return -1;
        size[i] = ((int64_t)wanted[i] + 2 * alignment - 1) / alignment * alignment;
        int32_t j = i;
        while (j > 0 && size[order[j - 1]] < size[i]) {
          order[j] = order[j - 1];
          --j;
        }
        order[j] = i;
      }
      for (int32_t n = 0; n < count; ++n) {
        int32_t i = order[n];
        int64_t offset = 0;
        for (int32_t k = 0; k < n; ++k) {
          int32_t j = placed[k];
          if (lives[j][0] > lives[i][1] || lives[i][0] > lives[j][1]) continue;
          if (offset + size[i] <= offsets[j]) break;
          if (offsets[j] + size[j] > offset) offset = offsets[j] + size[j];
        }
        offsets[i] = offset;
        int32_t k = n;
        while (k > 0 && offsets[placed[k - 1]] > offset) {
          placed[k] = placed[k - 1];
          --k;
        }
        placed[k] = i;
        if (offset + size[i] > total) total = offset + size[i];
      }
      *arena_bytes = total;
      return 0;
    }
    """
}
