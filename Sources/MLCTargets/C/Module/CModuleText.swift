/// The parts of a module's main file that are the same in every module.
enum CModuleText {
  /// What the driver sets as it loads the module, and the functions that C compilers call unasked. They are as fast as
  /// memory without being unrolled, which takes longer to compile than a small kernel.
  static let library = """
    __attribute__((visibility("hidden"))) const mlc_math *mlc_imports;

    __attribute__((visibility("hidden"), noinline, minsize)) void *memset(
      void *to, int value, __SIZE_TYPE__ count) {
      typedef uint8_t block __attribute__((vector_size(32), aligned(1), may_alias));
      uint8_t *p = to;
      const block v = (block){} + (uint8_t)value;
      for (; count >= 32; count -= 32, p += 32) *(block *)p = v;
      for (; count > 0; count--) *p++ = (uint8_t)value;
      return to;
    }

    __attribute__((visibility("hidden"), noinline, minsize)) void *memcpy(
      void *restrict to, const void *restrict from, __SIZE_TYPE__ count) {
      typedef uint8_t block __attribute__((vector_size(32), aligned(1), may_alias));
      uint8_t *p = to;
      const uint8_t *q = from;
      for (; count >= 32; count -= 32, p += 32, q += 32) *(block *)p = *(const block *)q;
      for (; count > 0; count--) *p++ = *q++;
      return to;
    }

    __attribute__((visibility("hidden"), noinline, minsize)) void *memmove(
      void *to, const void *from, __SIZE_TYPE__ count) {
      uint8_t *p = to;
      const uint8_t *q = from;
      if (p <= q || p >= q + count) return memcpy(to, from, count);
      while (count > 0) {
        count--;
        p[count] = q[count];
      }
      return to;
    }
    """

  /// What the module was made for; its bytes stand in a file of their own.
  static let identity = "__attribute__((visibility(\"hidden\"))) const uint8_t mlc_identity[32]"

  /// A size that data decides; one that is out of its bounds is a fault.
  static let late = """
    static void refuse_size(const mlc_frame *f) {
      if (*f->fault == 0) *f->fault = MLC_FAULT_SIZE;
    }

    static int64_t checked_size(const mlc_frame *f, int64_t size, int64_t bound) {
      if (size >= 0 && size <= bound) return size;
      refuse_size(f);
      return size < 0 ? 0 : bound;
    }
    """

  /// Runs one kernel, unless there was a fault: sizes may not fit memory then. With a profile, counts its nanoseconds;
  /// after a fault, notes which step it was. Work of one phase is that many tasks, in any order.
  static let step = """
    __attribute__((noinline)) static void run_phases(
      const mlc_frame *f, int64_t step, mlc_kernel kernel, void *const *p, mlc_phases work) {
      if (__builtin_expect(*f->fault != 0, 0)) {
        if (*f->fault >> 32 == 0) *f->fault |= (step + 1) << 32;
        return;
      }
      if (work.groups <= 0 || work.tasks <= 0) return;
      uint64_t start = f->profile ? f->clock() : 0;
      if (work.phases > 1) f->in_phases(f->pool, kernel, f, p, work);
      else f->parallel(f->pool, kernel, f, p, work.groups * work.tasks);
      if (f->profile) f->profile[step] += f->clock() - start;
      if (__builtin_expect(*f->fault != 0, 0) && *f->fault >> 32 == 0) *f->fault |= (step + 1) << 32;
    }

    __attribute__((noinline)) static void run_step(
      const mlc_frame *f, int64_t step, mlc_kernel kernel, void *const *p, int64_t tasks) {
      run_phases(f, step, kernel, p, (mlc_phases){1, 1, tasks});
    }
    """
}
