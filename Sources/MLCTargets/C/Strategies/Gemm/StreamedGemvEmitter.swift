import MLCCore
import MLCKernels

/// Spells one matmul of few rows as C. A task is a panel of columns of one batch position; its sums wait in scratch
/// for the epilogue.
struct StreamedGemvEmitter {
  let problem: GemmProblem
  let order: StreamedGemv.Order
  let rows: Int
  let device: DeviceDescription
  let sizes: SizeSpelling
  let kernel: Kernel, program: KernelProgram

  private var matmul: Matmul { problem.matmul }
  private func spell(_ dim: Dim) -> String { sizes.spell(dim) }

  /// Columns of a panel: long runs of each row, whose sums stay in the first cache; or vectors of them.
  private var width: Int { order == .rows ? 1024 : 4 * device.lanes }
  /// Rows of the matrix that go into the sums at once.
  private var together: Int { 8 / ((rows + 1) / 2) }

  private var panels: Dim { matmul.n.extent.ceilDiv(Dim(width)) }
  var tasks: String { spell(matmul.batch.reduce(panels) { $0 * $1.extent }) }
  var scratchBytes: Int { rows * width * 4 }

  func source(_ symbol: String) -> CCode {
    let epilogue = GemmEpilogue(problem, kernel, in: program, width: width)
    return [
      GemmPosition(problem).declaration(symbol), epilogue.source(symbol), sums(symbol), .kernel(symbol, driver(symbol)),
    ]
  }

  private func driver(_ symbol: String) -> CCode {
    let position = GemmPosition(problem)
    let (left, right) = (problem.lhsType.cStorageType, problem.rhsType.cStorageType)
    return """
      const int64_t *s = frame->symbols;
      const int64_t N = \(spell(matmul.n.extent)), panels = \(spell(panels));
      float *const sums = (float *)(void *)scratch;
      (void)s;
      for (int64_t task = begin; task < end; task++) {
        int64_t rest = task / panels;
        const int64_t column = task % panels * \(width), columns = mlc_min_i64(\(width), N - column);
        \(position.positions(of: "rest", sizes))
        const \(left) *const a = (const \(left) *)buffers[\(matmul.lhs.param)] + \(position.offset(problem.lhs, sizes));
        const \(right) *const b = (const \(right) *)buffers[\(matmul.rhs.param)]
          + \(position.offset(problem.rhs, sizes)) + column * \(spell(problem.rhs.stride(matmul.n)));
        \(symbol)_sums(s, a, b, columns, sums);
        const struct \(symbol)_at at = {
          frame, buffers, \((position.names + ["0", "column", "columns"]).joined(separator: ", ")), 1, 1, sums };
        \(symbol)_finish(&at, \(rows));
      }
      """
  }

  private func sums(_ symbol: String) -> CCode {
    """
    static __attribute__((noinline)) void \(symbol)_sums(
      const int64_t *s, const \(problem.lhsType.cStorageType) *restrict a,
      const \(problem.rhsType.cStorageType) *restrict b, int64_t columns, float *restrict sums) {
      const int64_t K = \(spell(matmul.k.extent));
      const int64_t am = \(spell(problem.lhs.stride(matmul.m))), ak = \(spell(problem.lhs.stride(matmul.k)));
      const int64_t bn = \(spell(problem.rhs.stride(matmul.n))), bk = \(spell(problem.rhs.stride(matmul.k)));
      (void)s, (void)am, (void)ak, (void)bn, (void)bk;
      \(order == .rows ? alongRows : alongColumns)
    }
    """
  }

  private var alongRows: CCode {
    let left = StoredElement(problem.lhsType)
    func steps(_ count: Int) -> CCode {
      let factors = CCode.grid(rows, count) { row, step in
        "const float x\(row)_\(step) = \(left.read("a[\(row) * am + (k + \(step)) * ak]"));"
      }
      func added(_ part: String?) -> CCode {
        let right = StoredElement(problem.rhsType)
        let loads = (0..<count).map { "const V w\($0) = \(right.load("b + (k + \($0)) * bk + n", part: part));" }
        let sums = (0..<rows).map { row -> String in
          let place = "sums + \(row * width) + n"
          let products = (0..<count).map { "c += w\($0) * x\(row)_\($0);" }.joined(separator: " ")
          return "{ V c = LD(\(place)); \(products) ST(\(place), c); }"
        }
        return CCode(lines: loads + sums)
      }
      return """
        \(factors)
        int64_t n = 0;
        for (; n + VL <= columns; n += VL) {
          \(added(nil))
        }
        if (n < columns) {
          const int64_t part = columns - n;
          \(added("part"))
        }
        """
    }
    return """
      __builtin_memset(sums, 0, \(scratchBytes));
      int64_t k = 0;
      \(.block("for (; k + \(together) <= K; k += \(together))", steps(together)))
      \(.block("for (; k < K; k++)", steps(1)))
      """
  }

  /// A vector for each of `VL` columns and each row, turned at the end; columns past the last are the last one again.
  private var alongColumns: CCode {
    let (left, right) = (StoredElement(problem.lhsType), StoredElement(problem.rhsType))
    let count = columnsTogether
    let places = (0..<rows).flatMap { row in (0..<count).map { (row, $0) } }
    func step(_ part: String?) -> CCode {
      let x = (0..<rows).map { "const V x\($0) = \(left.load("a + \($0) * am + k", part: part));" }
      let w = (0..<count).map { "const V w\($0) = \(right.load("b\($0) + k", part: part));" }
      return CCode(lines: x + w) + .grid(rows, count) { "c\($0)_\($1) += w\($1) * x\($0);" }
    }
    return """
      for (int64_t n = 0; n < columns; n += VL) {
        V turned[\(rows)][VL];
        for (int j = 0; j < VL; j += \(count)) {
          \(CCode(lines: (0..<count).map(columnStart)))
          V \(places.map { "c\($0)_\($1) = {}" }.joined(separator: ", "));
          int64_t k = 0;
          for (; k + VL <= K; k += VL) {
            \(step(nil))
          }
          if (k < K) {
            const int64_t part = K - k;
            \(step("part"))
          }
          \(CCode.grid(rows, count) { "turned[\($0)][j + \($1)] = c\($0)_\($1);" })
        }
        for (int row = 0; row < \(rows); row++) {
          V *const c = turned[row];
          mlc_transpose(c);
          for (int h = VL / 2; h > 0; h /= 2) for (int j = 0; j < h; j++) c[j] += c[j + h];
          ST(sums + row * \(width) + n, c[0]);
        }
      }
      """
  }

  private func columnStart(_ column: Int) -> String {
    let type = problem.rhsType.cStorageType
    return "const \(type) *const b\(column) = b + mlc_min_i64(n + j + \(column), columns - 1) * bn;"
  }

  /// Columns whose sums fit the registers for all rows, a divisor of a vector's.
  private var columnsTogether: Int {
    let most = device.vectorRegisters >= 32 ? 16 : 8
    return [16, 8, 4, 2].first { $0 <= device.lanes && $0 * rows <= most } ?? 1
  }
}
