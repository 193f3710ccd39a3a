import MLCCore
import MLCKernels

/// The function `bind` of a module: refuses sizes that do not fit, and finds room for each buffer.
///
/// Sizes are computed in 128 bits, so that sizes from outside cannot overflow. Expressions stand in functions of a few
/// each: a C compiler takes more than twice as long for a function of twice as many.
struct BindFunction {
  private let requirements: [SizeRequirement]
  private let plan: MemoryPlan
  /// Of 128 bits.
  private let sizes: SizeSpelling
  private static let partLength = 64

  init(_ requirements: [SizeRequirement], _ plan: MemoryPlan, _ sizes: SizeSpelling) {
    (self.requirements, self.plan) = (requirements, plan)
    var sizes = sizes
    sizes.arithmetic = .wide
    self.sizes = sizes
  }

  /// Entries of `offsets` for each buffer: where it lies, and three that `plan` works with.
  private static let entriesPerBuffer = 4
  var offsetCount: Int { plan.offsets == nil ? plan.buffers.count * Self.entriesPerBuffer : 0 }

  var code: CCode {
    let checks = parts(requirements).enumerated().map { number, part -> CCode in
      """
      __attribute__((noinline)) static int32_t refuses_\(number)(const int64_t *s) {
        return \(part.map { "(\(sizes.violation($0)))" }.joined(separator: "\n  || "));
      }

      """
    }
    return """
      \(plan.offsets == nil ? CCode(Self.planner) : [])

      \(checks.joined())
      \(plan.offsets == nil ? planned(checks.count) : known(checks.count))
      """
  }

  private func refusals(_ count: Int) -> CCode { CCode(lines: (0..<count).map { "if (refuses_\($0)(s)) return -1;" }) }

  /// `bind` where memory was laid out while compiling.
  private func known(_ checks: Int) -> CCode {
    """
    static int32_t bind(const int64_t *s, int64_t *offsets, int64_t *arena_bytes) {
      (void)s, (void)offsets;
      \(refusals(checks))
      *arena_bytes = \(plan.arenaBytes);
      return 0;
    }
    """
  }

  /// `bind` where sizes decide: it computes those of all buffers, each distinct one once, and lays them out.
  private func planned(_ checks: Int) -> CCode {
    var numbers: [Dim: Int] = [:]
    var distinct: [Dim] = []
    let lives = plan.buffers.map { buffer in
      let number = numbers[buffer.bytes] ?? distinct.count
      if number == distinct.count {
        numbers[buffer.bytes] = number
        distinct.append(buffer.bytes)
      }
      return "{\(buffer.first), \(buffer.last), \(number)}"
    }
    let functions = parts(distinct).enumerated().map { number, part -> CCode in
      """
      __attribute__((noinline)) static void sizes_\(number)(const int64_t *s, int64_t *bytes) {
        (void)s;
        \(CCode(lines: part.enumerated().map { "bytes[\($0)] = padded(\(sizes.spell($1)));" }))
      }

      """
    }
    let (count, length) = (plan.buffers.count, Self.partLength)
    return """
      \(functions.joined())
      static int32_t bind(const int64_t *s, int64_t *offsets, int64_t *arena_bytes) {
        \(refusals(checks))
        static const int32_t lives[][3] = {\(lives.joined(separator: ", "))};
        int64_t *const bytes = offsets + \(count);
        \(CCode(lines: functions.indices.map { "sizes_\($0)(s, bytes + \($0 * length));" }))
        return plan(\(count), lives, bytes, offsets, arena_bytes);
      }
      """
  }

  private func parts<T>(_ items: [T]) -> [ArraySlice<T>] {
    stride(from: 0, to: items.count, by: Self.partLength).map { items[$0..<min($0 + Self.partLength, items.count)] }
  }

  /// First fit by decreasing size: `MemoryPlan.place` in C. A buffer's life is its first step, its last, and the number
  /// of its size in `bytes`. `offsets` has room for what is worked with, behind the offsets and the sizes: code has no
  /// memory but what it is given, and a thread's stack may be small.
  private static let planner = """
    static inline int64_t padded(__int128 bytes) {
      enum { alignment = \(MemoryPlan.alignment) };
      if (bytes < 0 || bytes > (__int128)1 << 40) return -1;
      return ((int64_t)bytes + 2 * alignment - 1) / alignment * alignment;
    }

    static int32_t plan(
      int64_t count, const int32_t (*lives)[3], const int64_t *bytes, int64_t *offsets, int64_t *arena_bytes) {
      int64_t *const order = offsets + 2 * count, *const placed = order + count;
      int64_t total = 0;
      for (int64_t i = 0; i < count; ++i) {
        int64_t size = bytes[lives[i][2]], j = i;
        if (size < 0) return -1;
        while (j > 0 && bytes[lives[order[j - 1]][2]] < size) {
          order[j] = order[j - 1];
          --j;
        }
        order[j] = i;
      }
      for (int64_t n = 0; n < count; ++n) {
        int64_t i = order[n], size = bytes[lives[i][2]], offset = 0;
        for (int64_t k = 0; k < n; ++k) {
          int64_t j = placed[k];
          if (lives[j][0] > lives[i][1] || lives[i][0] > lives[j][1]) continue;
          if (offset + size <= offsets[j]) break;
          int64_t end = offsets[j] + bytes[lives[j][2]];
          if (end > offset) offset = end;
        }
        offsets[i] = offset;
        int64_t k = n;
        while (k > 0 && offsets[placed[k - 1]] > offset) {
          placed[k] = placed[k - 1];
          --k;
        }
        placed[k] = i;
        if (offset + size > total) total = offset + size;
      }
      *arena_bytes = total;
      return 0;
    }
    """
}
