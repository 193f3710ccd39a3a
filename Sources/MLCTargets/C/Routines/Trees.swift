import MLCCore
import MLCKernels

/// One task for a block of rows. Eight descents go on at once, since each waits for memory: those of eight rows down
/// one tree, or of a row that is left over down eight trees.
struct TreesEmitter: RoutineEmitter {
  let trees: Routine.Trees

  private static let lanes = 8
  /// Steps beyond which descents are asked whether all have ended.
  private static let shallow = 12

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    if let obstacle = RoutineFrame.obstacle(to: kernel, params: trees.extents.count, in: program) { return obstacle }
    let dtype = program[kernel.params[0].tensor].dtype
    if dtype == .float32 || dtype == .float64, isCopied == nil || columns != nil { return nil }
    return Diagnostic("target.routine", "trees over \(dtype.rawValue) in \(trees.columns) columns", kind: .bug)
  }

  private var isCopied: Bool? { trees.links == .ordered(lowest: true) ? true : nil }
  private var columns: Int? { trees.columns.constant }

  /// Bytes of scratch for the sums of a row, and for its copy.
  private var rowBytes: Int { trees.targets * 8 + (isCopied == nil ? 0 : (columns ?? 0) * 16) }
  /// Rows of a block: a multiple of the lanes.
  private var block: Int { max(1, min(8, (1 << 18) / (rowBytes * Self.lanes))) * Self.lanes }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let frame = RoutineFrame(kernel: kernel, program: program, device: device)
    let prologue = ScalarSpeller(kernel, in: program).prologue(kernel, in: program)
    let body = body(frame)
    return EmittedKernel(
      KernelName(frame.dtype(0), kernel.family, on: device),
      source: { .kernel($0, prologue + body) },
      tasks: frame.size(trees.rows.ceilDiv(Dim(block))),
      scratchBytes: block * rowBytes
    )
  }

  private func body(_ frame: RoutineFrame) -> CCode {
    let type = frame.dtype(0).cType
    let result = "p\(trees.extents.count - 1)"
    return """
      enum { K = \(trees.targets), R = \(trees.trees), B = \(block) };
      const int64_t N = \(frame.size(trees.rows)), F = \(frame.size(trees.columns));
      const int64_t S = \(isCopied == nil ? "F" : "2 * F");
      double *const sums = (double *)(void *)scratch;
      for (int64_t t = begin; t < end; t++) {
        const int64_t n = N - t * B < B ? N - t * B : B, whole = n - n % \(Self.lanes);
        for (int64_t i = 0; i < n * K; i++) sums[i] = \(neutral);
        \(rows(type))
        for (int64_t tree = 0; whole > 0 && tree < R; tree++) {
          const int32_t root = p3[2 * tree], depth = p3[2 * tree + 1];
          for (int64_t r = 0; r < whole; r += \(Self.lanes)) {
            const \(type) *const row = rows + r * S;
            \(descents(Self.lanes, type, root: { _ in "root" }, row: { "row[\($0) * S + " }))
            \(gifts(Self.lanes) { "(r + \($0)) * K" })
          }
        }
        for (int64_t r = whole; r < n; r++) {
          const \(type) *const row = rows + r * S;
          int64_t tree = 0;
          for (; tree + \(Self.lanes) <= R; tree += \(Self.lanes)) {
            int32_t depth = 0;
            for (int64_t i = tree; i < tree + \(Self.lanes); i++) depth = p3[2 * i + 1] > depth ? p3[2 * i + 1] : depth;
            \(descents(Self.lanes, type, root: { "p3[2 * (tree + \($0))]" }, row: { _ in "row[" }))
            \(gifts(Self.lanes) { _ in "r * K" })
          }
          for (; tree < R; tree++) {
            const int32_t depth = p3[2 * tree + 1];
            \(descents(1, type, root: { _ in "p3[2 * tree]" }, row: { _ in "row[" }))
            \(gifts(1) { _ in "r * K" })
          }
        }
        for (int64_t i = 0; i < n * K; i++) \(result)[t * B * K + i] = (\(type))\(finished("sums[i]"));
      }
      """
  }

  /// Declares `rows`, those of the block: x itself, or a copy with two elements for each.
  private func rows(_ type: String) -> CCode {
    if isCopied == nil { return "const \(type) *const rows = p0 + t * B * F;" }
    return """
      \(type) *const rows = (\(type) *)(void *)(scratch + B * K * 8);
      for (int64_t i = 0; i < n * F; i++) {
        const \(type) x = p0[t * B * F + i];
        rows[2 * i] = x, rows[2 * i + 1] = x != x ? -(\(type))__builtin_inff() : x;
      }
      """
  }

  // MARK: Descents

  /// Leaves `n0`, `n1`, … at leaves; `row` begins an expression that a feature and `]` end.
  private func descents(_ lanes: Int, _ type: String, root: (Int) -> String, row: (Int) -> String) -> CCode {
    let starts = (0..<lanes).map { "n\($0) = \(root($0))" }.joined(separator: ", ")
    let steps = CCode(lines: (0..<lanes).map { step("n\($0)", row($0), type) })
    let isDeep = trees.depth > Self.shallow
    return """
      int32_t \(starts);
      for (int32_t d = 0; d < depth; d++) {
        \(isDeep ? "int32_t moved = 0;" : "")
        \(steps)
        \(isDeep ? "if (!moved) break;" : "")
      }
      """
  }

  private func step(_ node: String, _ row: String, _ type: String) -> String {
    // Keeps compilers from gathering for all lanes at once, which takes longer.
    let scalar = "__asm__(\"\" : \"+r\"(\(node)));"
    let moved = trees.depth > Self.shallow ? "moved |= next ^ \(node); " : ""
    if trees.links == .masked {
      let value = "const \(type) x = \(row)p2[4 * \(node)]], s = p1[\(node)];"
      let bits = "(x < s) | (x == s) << 1 | (x > s) << 2 | (x != x) << 3"
      let next = "p2[4 * \(node) + (p2[4 * \(node) + 1] & (\(bits)) ? 2 : 3)]"
      return "{ \(value) const int32_t next = \(next); \(moved)\(node) = next; \(scalar) }"
    }
    let next = "p2[2 * \(node) + 1] + !(\(row)p2[2 * \(node)]] <= p1[\(node)])"
    return "{ const int32_t next = \(next); \(moved)\(node) = next; \(scalar) }"
  }

  // MARK: Weights

  private var neutral: String {
    switch trees.aggregate {
    case .sum, .average: "0"
    case .min: "__builtin_inf()"
    case .max: "-__builtin_inf()"
    }
  }

  private func combined(_ sum: String, _ weight: String) -> String {
    switch trees.aggregate {
    case .sum, .average: "\(sum) += \(weight);"
    case .min: "if (\(weight) < \(sum)) \(sum) = \(weight);"
    case .max: "if (\(weight) > \(sum)) \(sum) = \(weight);"
    }
  }

  private func finished(_ sum: String) -> String {
    switch trees.aggregate {
    case .sum: sum
    case .average: "(\(sum) / R)"
    case .min, .max: "(\(sum) == \(neutral) ? 0 : \(sum))"
    }
  }

  /// What the leaves `n0`, `n1`, … give to the sums from `place` on.
  private func gifts(_ lanes: Int, place: (Int) -> String) -> CCode {
    CCode(
      lines: (0..<lanes).map { lane in
        if trees.oneWeight { return combined("sums[\(place(lane))]", "p4[n\(lane)]") }
        let range = "int32_t w = p4[2 * n\(lane)], e = w + p4[2 * n\(lane) + 1]; w < e; w++"
        return "for (\(range)) { \(combined("sums[\(place(lane)) + p5[w]]", "p6[w]")) }"
      }
    )
  }
}
