extension Prelude {
  /// Lanes from places of their own, and the places: indices that data decides.
  static let gathers = #"""
    \#(gathered)

    /// Each of `i` where it lies in `0 ..< n`, else the nearest that does, and a fault where `isMeant`.
    FN VQ mlc_index_q(VQ i, int64_t n, VI isMeant, int64_t *fault) {
      const VI isOut = mlc_truth((i < SPLATQ(0)) | (i >= SPLATQ(n)));
      if (__builtin_expect(mlc_any(isMeant & isOut), 0)) mlc_fault_set(fault, MLC_FAULT_INDEX);
      return mlc_max_q(mlc_min_q(i, SPLATQ(n - 1)), SPLATQ(0));
    }
    FN VI mlc_indexi_v(VQ i, int64_t n, VI isMeant, int64_t *fault) {
      return __builtin_convertvector(mlc_index_q(i, n, isMeant, fault), VI);
    }

    /// Vectors of 32 bits that lie near each other are one load and a permutation.
    #if VL == 16 && defined(__AVX512F__) && defined(__clang__)
    #define MLC_PERMUTED(v, i) __builtin_ia32_permvarsf512(v, i)
    #elif VL == 8 && defined(__AVX2__)
    #define MLC_PERMUTED(v, i) __builtin_ia32_permvarsf256(v, i)
    #endif
    #ifdef MLC_PERMUTED
    /// The first of `VL` elements among which are all of `i`, places in `0 ..< n`; −1 where there are none.
    FN int32_t mlc_near(VI i, int64_t n) {
      if (n < VL) return -1;
    #if defined(__clang__) && __clang_major__ >= 17
      const int32_t low = __builtin_reduce_min(i), high = __builtin_reduce_max(i);
    #else
      const int32_t low = mlc_hmini_v(i), high = mlc_hmaxi_v(i);
    #endif
      const int32_t first = mlc_min_i32_(low, (int32_t)(n - VL));
      return high - first < VL ? first : -1;
    }
    FN V mlc_gather_near_v(const float *p, VI i, int32_t first) {
      return first < 0 ? mlc_gather_v(p, i) : (V)MLC_PERMUTED(LD(p + first), i - SPLATI(first));
    }
    #else
    FN int32_t mlc_near(VI i, int64_t n) { return -1; }
    FN V mlc_gather_near_v(const float *p, VI i, int32_t first) { return mlc_gather_v(p, i); }
    #endif
    FN VI mlc_gather_near_i(const int32_t *p, VI i, int32_t first) {
      return (VI)mlc_gather_near_v((const float *)(const void *)p, i, first);
    }

    /// Truncated toward zero; NaN is 0, beyond int64 is the nearest int64.
    FN VQ mlc_i64_v(V x) {
      const VI above = x >= SPLAT(0x1p63f), below = x < SPLAT(-0x1p63f);
      const V inside = mlc_select_v(above | below | (x != x), SPLAT(0), x);
      return mlc_select_q(
        above, SPLATQ(INT64_MAX), mlc_select_q(below, SPLATQ(INT64_MIN), __builtin_convertvector(inside, VQ)));
    }
    FN VQ mlc_i64_d(VD x) {
      const VI above = mlc_truth(x >= SPLATD(0x1p63)), below = mlc_truth(x < SPLATD(-0x1p63));
      const VD inside = mlc_select_d(above | below | mlc_truth(x != x), SPLATD(0), x);
      return mlc_select_q(
        above, SPLATQ(INT64_MAX), mlc_select_q(below, SPLATQ(INT64_MIN), __builtin_convertvector(inside, VQ)));
    }
    /// The same of numbers in int32, or NaN.
    FN VI mlc_i32_v(V x) { return __builtin_convertvector(mlc_select_v(x == x, x, SPLAT(0)), VI); }
    """#

  /// The lanes that lie `i` elements from `p` on.
  private static let gathered = [
    ("v", "V", "float"), ("i", "VI", "int32_t"), ("d", "VD", "double"), ("q", "VQ", "int64_t"), ("h", "VH", "uint16_t"),
    ("b", "VB", "int8_t"),
  ].flatMap { suffix, vector, element in
    [("", "VI"), ("_far", "VQ")].map { distance, places in
      """
      FN \(vector) mlc_gather\(distance)_\(suffix)(const \(element) *p, \(places) i) {
        \(vector) r;
        for (int k = 0; k < VL; k++) r[k] = p[i[k]];
        return r;
      }
      """
    }
  }.joined(separator: "\n")
}
