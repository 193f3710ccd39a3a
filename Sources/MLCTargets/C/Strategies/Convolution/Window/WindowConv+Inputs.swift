import MLCCore
import MLCKernels

extension WindowConv {
  /// What stands before the functions: where taps lie, and runs of outputs.
  func declarations(_ symbol: String) -> CCode {
    """
    static const int32_t \(symbol)_taps[] = {\(geometry.taps.map { "\($0)" }.joined(separator: ", "))};
    /// Outputs of one row: the first one's place in the region and in the tile, and how many.
    struct \(symbol)_run { int64_t z, y, x, at, count; };
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
          for (int64_t t = 0; t < \(problem.taps); t++, to += \(width)) {
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
