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
}
