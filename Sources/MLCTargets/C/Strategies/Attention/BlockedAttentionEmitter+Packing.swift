import MLCCore
import MLCKernels

extension BlockedAttentionEmitter {
  /// Keys as `[⌈columns / panel⌉][depth][panel]` floats, those past the last one zero.
  func packKeys(_ symbol: String) -> String {
    let type = problem.type(attention.key)
    let (row, column) = (spell(problem.key.stride(attention.n)), spell(problem.key.stride(attention.k)))
    let (depth, panel, lanes) = (problem.depth, tile.panel, tile.lanes)
    let whole = problem.key.stride(attention.k) == 1 ? depth / lanes * lanes : 0
    let tiles = """
          if (n + VL <= columns) {
            for (int64_t k = 0; k < \(whole); k += VL) {
              V t[VL];
              for (int i = 0; i < VL; i++) t[i] = \(vectorLoad("from + (n + i) * step + k", type));
              mlc_transpose(t);
              for (int i = 0; i < VL; i++) ST(out + (k + i) * \(panel), t[i]);
            }
            for (int64_t i = 0; i < VL; i++)
              for (int64_t k = \(whole); k < \(depth); k++)
                out[k * \(panel) + i] = \(widened("from[(n + i) * step + k * \(column)]", type));
            continue;
          }
      """
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_keys(
        const int64_t *s, const \(type.cStorageType) *restrict from, int64_t columns, float *restrict to) {
        const int64_t step = \(row), end = (columns + \(panel - 1)) / \(panel) * \(panel);
        (void)s;
        for (int64_t n = 0; n < end; n += VL) {
          float *const out = to + n / \(panel) * \(panel * depth) + n % \(panel);
      \(tiles)
          for (int64_t i = 0; i < VL; i++)
            for (int64_t k = 0; k < \(depth); k++)
              out[k * \(panel) + i] = n + i < columns ? \(widened("from[(n + i) * step + k * \(column)]", type)) : 0;
        }
      }
      """
  }

  /// Values as `[columns][width]` floats, columns past the last one zero.
  func packValues(_ symbol: String) -> String {
    let type = problem.type(attention.value)
    let (row, column) = (spell(problem.value.stride(attention.n)), spell(problem.value.stride(attention.f)))
    let whole = problem.value.stride(attention.f) == 1 ? problem.width / tile.lanes * tile.lanes : 0
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_values(
        const int64_t *s, const \(type.cStorageType) *restrict from, int64_t columns, float *restrict to) {
        const int64_t step = \(row);
        (void)s;
        for (int64_t n = 0; n < columns; n++, from += step, to += \(width)) {
          for (int64_t f = 0; f < \(whole); f += VL) ST(to + f, \(vectorLoad("from + f", type)));
          for (int64_t f = \(whole); f < \(problem.width); f++) to[f] = \(widened("from[f * \(column)]", type));
          for (int64_t f = \(problem.width); f < \(width); f++) to[f] = 0;
        }
      }
      """
  }

  /// Queries as `[rows][depth]` floats, scaled.
  func packQueries(_ symbol: String) -> String {
    let type = problem.type(attention.query)
    let (row, column) = (spell(problem.query.stride(attention.m)), spell(problem.query.stride(attention.k)))
    let scale = ScalarSpeller.literal(attention.scale, .float32)
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_queries(
        const int64_t *s, const \(type.cStorageType) *restrict from, int64_t rows, float *restrict to) {
        (void)s;
        for (int64_t m = 0; m < rows; m++, from += \(row), to += \(problem.depth))
          for (int64_t k = 0; k < \(problem.depth); k++) to[k] = \(widened("from[k * \(column)]", type)) * \(scale);
      }
      """
  }
}
