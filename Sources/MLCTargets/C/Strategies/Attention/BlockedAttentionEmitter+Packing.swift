import MLCCore
import MLCKernels

extension BlockedAttentionEmitter {
  /// Keys as `[⌈columns / panel⌉][depth][panel]` floats, those past the last one zero.
  func packKeys(_ symbol: String) -> CCode {
    let (type, stored) = (problem.type(attention.key), StoredElement(problem.type(attention.key)))
    let (row, column) = (spell(problem.key.stride(attention.n)), spell(problem.key.stride(attention.k)))
    let (depth, panel, lanes) = (problem.depth, tile.panel, tile.lanes)
    let whole = problem.key.stride(attention.k) == 1 ? depth / lanes * lanes : 0
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_keys(
        const int64_t *s, const \(type.cStorageType) *restrict from, int64_t columns, float *restrict to) {
        const int64_t step = \(row), end = (columns + \(panel - 1)) / \(panel) * \(panel);
        (void)s;
        for (int64_t n = 0; n < end; n += VL) {
          float *const out = to + n / \(panel) * \(panel * depth) + n % \(panel);
          if (n + VL <= columns) {
            for (int64_t k = 0; k < \(whole); k += VL) {
              V t[VL];
              for (int i = 0; i < VL; i++) t[i] = \(stored.load("from + (n + i) * step + k"));
              mlc_transpose(t);
              for (int i = 0; i < VL; i++) ST(out + (k + i) * \(panel), t[i]);
            }
            for (int64_t i = 0; i < VL; i++)
              for (int64_t k = \(whole); k < \(depth); k++)
                out[k * \(panel) + i] = \(stored.read("from[(n + i) * step + k * \(column)]"));
            continue;
          }
          for (int64_t i = 0; i < VL; i++)
            for (int64_t k = 0; k < \(depth); k++)
              out[k * \(panel) + i] = n + i < columns ? \(stored.read("from[(n + i) * step + k * \(column)]")) : 0;
        }
      }
      """
  }

  /// Values as `[columns][width]` floats, columns past the last one zero.
  func packValues(_ symbol: String) -> CCode {
    let (type, stored) = (problem.type(attention.value), StoredElement(problem.type(attention.value)))
    let (row, column) = (spell(problem.value.stride(attention.n)), spell(problem.value.stride(attention.f)))
    let whole = problem.value.stride(attention.f) == 1 ? problem.width / tile.lanes * tile.lanes : 0
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_values(
        const int64_t *s, const \(type.cStorageType) *restrict from, int64_t columns, float *restrict to) {
        const int64_t step = \(row);
        (void)s;
        for (int64_t n = 0; n < columns; n++, from += step, to += \(width)) {
          for (int64_t f = 0; f < \(whole); f += VL) ST(to + f, \(stored.load("from + f")));
          for (int64_t f = \(whole); f < \(problem.width); f++) to[f] = \(stored.read("from[f * \(column)]"));
          for (int64_t f = \(problem.width); f < \(width); f++) to[f] = 0;
        }
      }
      """
  }

  /// Queries as `[rows][depth]` floats, scaled.
  func packQueries(_ symbol: String) -> CCode {
    let (type, stored) = (problem.type(attention.query), StoredElement(problem.type(attention.query)))
    let (row, column) = (spell(problem.query.stride(attention.m)), spell(problem.query.stride(attention.k)))
    let scale = ScalarSpeller.literal(attention.scale, .float32)
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_queries(
        const int64_t *s, const \(type.cStorageType) *restrict from, int64_t rows, float *restrict to) {
        (void)s;
        for (int64_t m = 0; m < rows; m++, from += \(row), to += \(problem.depth))
          for (int64_t k = 0; k < \(problem.depth); k++) to[k] = \(stored.read("from[k * \(column)]")) * \(scale);
      }
      """
  }
}
