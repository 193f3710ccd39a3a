import MLCCore
import MLCKernels

extension WindowConv {
  var inputType: String { problem.x.dtype.cStorageType }

  /// What stands before the functions: where taps lie, and runs of outputs.
  func declarations(_ symbol: String) -> CCode {
    """
    static const int32_t \(symbol)_taps[] = {\(geometry.taps.map { "\($0)" }.joined(separator: ", "))};
    /// Outputs of one row: the first one's place in the region and in the tile, and how many.
    struct \(symbol)_run { int64_t z, y, x, at, count; };
    FN int64_t \(symbol)_clamp(int64_t i, int64_t least, int64_t most) {
      return i < least ? least : i > most ? most : i;
    }
    """
  }

  /// Copies `channels` channels at `x` to `d`, the window's first element at `z`, `y` and `left` of the input, zeros
  /// where it lies outside. What vectors write past a row is written again with what follows it; they read nothing from
  /// `stop`, the input's end, on.
  func fill(_ symbol: String) -> CCode {
    let (rows, columns, pitch) = (geometry.spans[1].stride, geometry.spans[2].stride, geometry.pitch)
    let (depth, height, width) = (spell(geometry.input[0]), spell(geometry.input[1]), spell(geometry.input[2]))
    let unused = geometry.channelStride - geometry.planes * geometry.planeStride
    return """
      static __attribute__((noinline)) void \(symbol)_window(const int64_t *s, float *restrict d,
        const \(inputType) *restrict x, const \(inputType) *stop, int64_t channels,
        int64_t z, int64_t y, int64_t left) {
        (void)s;
        for (int64_t c = 0; c < channels; c++, x += \(spell(geometry.input.reduce(1, *))), d += \(unused))
        for (int64_t p = 0; p < \(geometry.planes); p++)
        for (int64_t u = 0; u < \(geometry.rowPhases); u++)
        for (int64_t v = 0; v < \(geometry.columnPhases); v++) {
          const int64_t begin = \(symbol)_clamp(-mlc_floor_div(left + v, \(columns)), 0, \(pitch));
          const int64_t end = \(symbol)_clamp(-mlc_floor_div(left + v - \(width), \(columns)), begin, \(pitch));
          for (int64_t j = 0; j < \(geometry.rows); j++, d += \(pitch)) {
            const int64_t plane = z + p, row = y + u + j * \(rows);
            const int64_t inside = plane >= 0 && plane < \(depth) && row >= 0 && row < \(height) && begin < end;
            for (int64_t i = 0; i < (inside ? begin : \(pitch)); i += VL) ST(d + i, (V){});
            if (!inside) continue;
            const \(inputType) *q = x + (plane * \(height) + row) * \(width) + left + v + begin * \(columns);
            \(copy(columns))
            for (int64_t i = end; i < \(pitch); i += VL) ST(d + i, (V){});
          }
        }
      }
      """
  }

  /// Copies elements `step` apart from `q` on to `begin ..< end` of a row.
  private func copy(_ step: Int) -> CCode {
    let element = StoredElement(problem.x.dtype)
    let single = "for (int64_t i = begin; i < end; i++, q += \(step)) d[i] = \(element.read("*q"));"
    guard step <= 2 else { return CCode(single) }
    let even = (0..<problem.device.lanes).map { "\(2 * $0)" }.joined(separator: ", ")
    let pair = "__builtin_shufflevector(\(element.load("q")), \(element.load("q + VL")), \(even))"
    return """
      if (stop - q >= \(step) * (end - begin + VL))
        for (int64_t i = begin; i < end; i += VL, q += \(step) * VL) ST(d + i, \(step == 1 ? element.load("q") : pair));
      else \(single)
      """
  }

  /// Copies what the outputs of a tile read to `[channel][tap][width]`; nothing where it is read in place.
  func gather(_ symbol: String) -> CCode {
    if plan.isDirect { return [] }
    return """
      static __attribute__((noinline)) void \(symbol)_gather(const float *restrict window, float *restrict to,
        int64_t channels, const struct \(symbol)_run *restrict runs, int64_t count) {
        int64_t from[\(width)];
        for (int64_t i = 0; i < count; i++) from[i] = \(geometry.place("runs[i].z", "runs[i].y", "runs[i].x"));
        for (int64_t c = 0; c < channels; c++, window += \(geometry.channelStride))
          for (int64_t t = 0; t < \(problem.windowTaps); t++, to += \(width)) {
            const float *const q = window + \(symbol)_taps[t];
            for (int64_t i = 0; i < count; i++)
              for (int64_t j = 0; j < runs[i].count; j += VL) ST(to + runs[i].at + j, LD(q + from[i] + j));
          }
      }
      """
  }

  /// Puts what a tile has of row after row of outputs together; nothing where rows follow each other anyway, or are
  /// stored one by one.
  func line(_ symbol: String) -> CCode {
    guard plan.isDirect, !geometry.isContiguous, epilogue.isFlat else { return [] }
    return """
      FN void \(symbol)_line(
        const float *restrict sums, float *restrict to, const struct \(symbol)_run *restrict runs, int64_t count) {
        for (int64_t i = 0; i < count; to += runs[i++].count)
          for (int64_t j = 0; j < runs[i].count; j += VL) ST(to + j, LD(sums + runs[i].at + j));
      }
      """
  }

  var weightType: String { problem.weight.dtype.cStorageType }

  /// Copies the weights of `filters` filters for `steps` products, as float32; nothing where they are read in place.
  func weights(_ symbol: String) -> CCode {
    guard copiesWeights else { return [] }
    return """
      static __attribute__((noinline)) void \(symbol)_weights(
        float *restrict to, const \(weightType) *restrict w, int64_t filters, int64_t steps) {
        for (int64_t m = 0; m < filters; m++, w += \(problem.steps), to += \(weightStride)) {
          int64_t k = 0;
          for (; k + VL <= steps; k += VL) ST(to + k, \(StoredElement(problem.weight.dtype).load("w + k")));
          for (; k < steps; k++) to[k] = \(StoredElement(problem.weight.dtype).read("w[k]"));
        }
      }
      """
  }
}
