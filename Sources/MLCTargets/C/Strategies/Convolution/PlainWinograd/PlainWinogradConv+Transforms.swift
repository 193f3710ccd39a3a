import MLCCore
import MLCKernels

/// The functions that transform inputs, filters and products.
extension PlainWinogradConv {
  var inputType: String { problem.x.dtype.cStorageType }
  private var size: Int { transform.outputs }

  // MARK: Inputs

  /// `SYMBOL_copy` copies what the tiles of a place read of a channel, zeros outside of the input, to `phases`, every
  /// `outputs`-th row and column together; nothing is read from `stop`, the input's end, on. `SYMBOL_input` transforms
  /// what a vector of tiles reads.
  func inputs(_ symbol: String) -> CCode {
    let (height, width) = (spell(problem.x.rows), spell(problem.x.columns))
    let copy = RowCopy(dtype: problem.x.dtype, lanes: problem.device.lanes, step: 1).code
    let parts = (0..<size).map { "ST(to + \($0 * plan.phaseStride) + i, part\($0));" }
    return """
      static __attribute__((noinline)) void \(symbol)_copy(
        const int64_t *s, float *restrict line, float *restrict phases,
        const \(inputType) *restrict x, const \(inputType) *stop, int64_t y, int64_t left) {
        const int64_t begin = mlc_min_i64(mlc_max_i64(-left, 0), \(plan.lineLength));
        const int64_t end = mlc_min_i64(mlc_max_i64(\(width) - left, begin), \(plan.lineLength));
        (void)s;
        for (int64_t i = 0; i < begin; i += VL) ST(line + i, (V){});
        for (int64_t row = 0; row < \(plan.inputRows); row++) {
          float *const to = phases + row % \(size) * \(size * plan.phaseStride) + row / \(size) * \(plan.pitch);
          const int64_t inside = y + row >= 0 && y + row < \(height);
          if (inside) {
            const \(inputType) *q = x + (y + row) * \(width) + left + begin;
            float *const d = line;
            \(copy)
          }
          for (int64_t i = inside ? end : 0; i < \(plan.lineLength); i += VL) ST(line + i, (V){});
          for (int64_t i = 0; i < \(plan.pitch); i += VL) {
            const float *const q = line + i * \(size);
            \(apart)
            \(CCode(lines: parts))
          }
        }
      }
      FN void \(symbol)_input(const float *restrict d, float *restrict v) {
        \(transform.inputColumns { "LD(d + \(plan.input($0, $1)))" })
        \(transform.inputRows { "ST(v + \(($0 * transform.inputs + $1) * inputStep), \($2));" })
      }
      """
  }

  /// Declares `part0`, …: every `outputs`-th element of as many vectors from `q` on.
  private var apart: CCode {
    let lanes = problem.device.lanes
    func every(_ a: String, _ b: String, from first: Int) -> String {
      let places = (0..<lanes).map { "\(2 * $0 + first)" }.joined(separator: ", ")
      return "__builtin_shufflevector(\(a), \(b), \(places))"
    }
    let loads = (0..<size).map { "const V q\($0) = LD(q + \($0) * VL);" }
    if size == 2 {
      return CCode(lines: loads + (0..<2).map { "const V part\($0) = \(every("q0", "q1", from: $0));" })
    }
    let halves = (0..<2).flatMap { half in
      (0..<2).map { "const V h\(half)\($0) = \(every("q\(2 * half)", "q\(2 * half + 1)", from: $0));" }
    }
    let parts = (0..<4).map { "const V part\($0) = \(every("h0\($0 % 2)", "h1\($0 % 2)", from: $0 / 2));" }
    return CCode(lines: loads + halves + parts)
  }

  // MARK: Filters

  /// `SYMBOL_filters` transforms `filters` filters from `w` on, vectors of channels at a time.
  func filters(_ symbol: String) -> CCode {
    let inputs = transform.inputs
    func sum(_ row: [Double], _ term: (Int) -> String) -> String {
      row.enumerated().filter { $0.element != 0 }.map { place, factor in
        factor == 1 ? term(place) : "\(term(place)) * \(ScalarSpeller.literal(factor, .float32))"
      }.joined(separator: " + ")
    }
    let halves = transform.filter.enumerated().flatMap { i, row in
      (0..<3).map { x in "const V h\(i)_\(x) = \(sum(row) { "g[\($0 * 3 + x)]" });" }
    }
    let results = (0..<inputs).flatMap { i in
      transform.filter.enumerated().map { j, row in
        "ST(to + \((i * inputs + j) * filterStep), \(sum(row) { "h\(i)_\($0)" }));"
      }
    }
    return """
      static __attribute__((noinline)) void \(symbol)_filters(float *restrict u, const float *restrict w,
        int64_t filters) {
        for (int64_t f = 0; f < filters; f++)
        for (int64_t c = 0; c < \(problem.channels); c += VL, w += 9 * VL) {
          const int64_t count = mlc_min_i64(VL, \(problem.channels) - c);
          float *const to = u + f * \(filterLength) + c;
          float taps[9 * VL] __attribute__((aligned(64)));
          V g[9];
          for (int64_t i = 0; i < count; i++)
            for (int64_t t = 0; t < 9; t++) taps[t * VL + i] = w[i * 9 + t];
          for (int64_t i = count; i < VL; i++)
            for (int64_t t = 0; t < 9; t++) taps[t * VL + i] = 0;
          for (int64_t t = 0; t < 9; t++) g[t] = LD(taps + t * VL);
          \(CCode(lines: halves + results))
          if (count < VL) w -= 9 * (VL - count);
        }
      }
      """
  }

  // MARK: Outputs

  /// `SYMBOL_output` transforms the products of a vector of tiles back, to rows of outputs.
  func outputs(_ symbol: String) -> CCode {
    let rows = (0..<size).map { row -> CCode in
      let values = transform.outputs(ofRow: row).enumerated().map { "const V z\($0) = \($1);" }
      let together: [String] =
        size == 2
        ? ["MLC_ZIP_LOW(z0, z1)", "MLC_ZIP_HIGH(z0, z1)"]
        : [("LOW", "LOW"), ("LOW", "HIGH"), ("HIGH", "LOW"), ("HIGH", "HIGH")].map { half, part in
          "MLC_ZIP_\(part)(MLC_ZIP_\(half)(z0, z2), MLC_ZIP_\(half)(z1, z3))"
        }
      let stores = together.enumerated().map { "ST(to + \(row * outputStep) + \($0) * VL, \($1));" }
      return .block(CCode(lines: values + stores))
    }
    return """
      FN void \(symbol)_output(const float *restrict m, float *restrict to) {
        \(transform.outputColumns { "LD(m + \(($0 * transform.inputs + $1) * productStep))" })
        \(rows.joined())
      }
      """
  }
}
