extension Prelude {
  /// `VL` lanes of double and int64, which may be several registers, and what reduces int32 lanes.
  static let wide = #"""
    typedef double VD __attribute__((vector_size(VL * 8)));
    typedef double VDU __attribute__((vector_size(VL * 8), aligned(8), may_alias));
    typedef int64_t VQ __attribute__((vector_size(VL * 8)));
    typedef int64_t VQU __attribute__((vector_size(VL * 8), aligned(8), may_alias));
    #define LDD(p) ((VD)*(const VDU *)(p))
    #define STD(p, v) (*(VDU *)(p) = (v))
    #define LDQ(p) ((VQ)*(const VQU *)(p))
    #define STQ(p, v) (*(VQU *)(p) = (v))
    #define SPLATD(x) ((double)(x) - (VD){})
    #define SPLATQ(x) ((VQ){} + (int64_t)(x))
    FN VQ mlc_iota_q(void) { VQ r; for (int i = 0; i < VL; i++) r[i] = i; return r; }
    FN VI mlc_truth(VQ m) { return __builtin_convertvector(m, VI); }
    FN VQ mlc_mask(VI m) { return __builtin_convertvector(m, VQ); }

    FN VQ mlc_select_q(VI m, VQ a, VQ b) { return (mlc_mask(m) & a) | (~mlc_mask(m) & b); }
    FN VD mlc_select_d(VI m, VD a, VD b) { return (VD)mlc_select_q(m, (VQ)a, (VQ)b); }
    /// The greater or less; NaN when either is NaN.
    FN VD mlc_max_d(VD a, VD b) { return mlc_select_d(mlc_truth((a > b) | (a != a)), a, b); }
    FN VD mlc_min_d(VD a, VD b) { return mlc_select_d(mlc_truth((a < b) | (a != a)), a, b); }
    FN VQ mlc_max_q(VQ a, VQ b) { return mlc_select_q(mlc_truth(a > b), a, b); }
    FN VQ mlc_min_q(VQ a, VQ b) { return mlc_select_q(mlc_truth(a < b), a, b); }
    FN VD mlc_abs_d(VD x) { return (VD)((VQ)x & INT64_MAX); }
    FN VQ mlc_abs_q(VQ x) { return (x ^ x >> 63) - (x >> 63); }

    FN double mlc_wide_f32(float x) { return (double)x; }
    FN VD mlc_wide_v(V x) { return __builtin_convertvector(x, VD); }
    FN float mlc_narrow_f32(double x) { return (float)x; }
    FN V mlc_narrow_v(VD x) { return __builtin_convertvector(x, V); }
    FN double mlc_select_wide_f32(int32_t m, double a, double b) { return m ? a : b; }
    FN VD mlc_select_wide_v(VI m, VD a, VD b) { return mlc_select_d(m, a, b); }
    FN double mlc_within_1000_f32(double x) { return mlc_max_f64(mlc_min_f64(x, 1e3), -1e3); }
    FN VD mlc_within_1000_v(VD x) { return mlc_max_d(mlc_min_d(x, SPLATD(1e3)), SPLATD(-1e3)); }

    \#(parts)
    \#(roundings)
    \#(reductions)
    """#

  /// Loads and stores of the first `n` lanes; the others are zeros.
  private static let parts = [("d", "VD", "double"), ("q", "VQ", "int64_t")].map { suffix, vector, element in
    """
    FN \(vector) mlc_ld_part_\(suffix)(const \(element) *p, int64_t n) {
      \(vector) r = {};
      for (int i = 0; i < VL; i++) if (i < n) r[i] = p[i];
      return r;
    }
    FN void mlc_st_part_\(suffix)(\(element) *p, \(vector) v, int64_t n) {
      for (int i = 0; i < VL; i++) if (i < n) p[i] = v[i];
    }
    """
  }.joined(separator: "\n")

  private static let roundings = Prelude.rounding.map { name, builtin in
    Prelude.elementwise(name, builtin, vector: "VD", lanes: "d", element: "f64")
  }.joined(separator: "\n")

  /// All lanes reduced to one; sums and products in pairs.
  private static let reductions =
    [("_d", "VD", "double"), ("_q", "VQ", "int64_t"), ("i_v", "VI", "int32_t")].flatMap { suffix, vector, element in
      [("sum", "+"), ("product", "*")].map { name, sign in
        """
        FN \(element) mlc_h\(name)\(suffix)(\(vector) v) {
          \(element) t[VL];
          __builtin_memcpy(t, &v, sizeof t);
          for (int h = VL / 2; h > 0; h /= 2) for (int i = 0; i < h; i++) t[i] = t[i] \(sign) t[i + h];
          return t[0];
        }
        """
      }
    }.joined(separator: "\n") + "\n"
    + [("_d", "VD", "double", "f64"), ("_q", "VQ", "int64_t", "i64"), ("i_v", "VI", "int32_t", "i32_")].flatMap {
      suffix,
      vector,
      element,
      scalar in
      ["max", "min"].map { name in
        """
        FN \(element) mlc_h\(name)\(suffix)(\(vector) v) {
          \(element) r = v[0];
          for (int i = 1; i < VL; i++) r = mlc_\(name)_\(scalar)(r, v[i]);
          return r;
        }
        """
      }
    }.joined(separator: "\n")
}
