import MLCCore
import MLCKernels

/// The C that copies the inputs of a region into scratch, as `WindowGeometry` lays them out.
struct WindowInputs {
  let problem: ConvolutionProblem
  let geometry: WindowGeometry
  let sizes: SizeSpelling

  private var inputType: String { problem.x.dtype.cStorageType }
  private func spell(_ dim: Dim) -> String { sizes.spell(dim) }

  /// Copies `channels` channels at `x` to `d`, the window's first element at `z`, `y` and `left` of the input, zeros
  /// where it lies outside. What vectors write past a row is written again with what follows it; they read nothing from
  /// `stop`, the input's end, on.
  func source(_ symbol: String) -> CCode {
    let (rows, columns, pitch) = (geometry.spans[1].stride, geometry.spans[2].stride, geometry.pitch)
    let (depth, height, width) = (spell(geometry.input[0]), spell(geometry.input[1]), spell(geometry.input[2]))
    let unused = geometry.channelStride - geometry.planes * geometry.planeStride
    return """
      FN int64_t \(symbol)_clamp(int64_t i, int64_t least, int64_t most) {
        return i < least ? least : i > most ? most : i;
      }
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
            \(RowCopy(dtype: problem.x.dtype, lanes: problem.device.lanes, step: columns).code)
            for (int64_t i = end; i < \(pitch); i += VL) ST(d + i, (V){});
          }
        }
      }
      """
  }

  /// A statement that copies `count` channels from `channel` of `image` on to `to`, for the region at `z`, `y`, `x`.
  func call(_ symbol: String, to: String, channel: String, count: String) -> String {
    let plane = spell(geometry.input.reduce(1, *))
    let origins = zip(["z", "y", "x"], geometry.spans).map { "\($0) * \($1.stride) - \($1.low)" }
    let input = "(const \(inputType) *)buffers[\(problem.convolution.x)]"
    return "\(symbol)_window(s, \(to), \(input) + (image * \(problem.channels) + \(channel)) * \(plane), "
      + "\(input) + \(spell(problem.x.shape.reduce(1, *))), \(count), \(origins.joined(separator: ", ")));"
  }
}
