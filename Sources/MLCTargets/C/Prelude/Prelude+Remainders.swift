extension Prelude {
  /// Quotients that are rounded down, and what they leave, in lanes. Division of doubles is exact enough where numbers
  /// have fewer bits than a double: a quotient that is no whole number is not rounded to one.
  static let remainders = #"""
    /// Whether all of `a`, and `b`, are below 2⁵¹.
    FN int mlc_is_short_q(VQ a, int64_t b) {
      const VQ high = (a + SPLATQ(INT64_C(1) << 51)) & SPLATQ(~((INT64_C(1) << 52) - 1));
      return b > 0 && b < INT64_C(1) << 51 && !mlc_any(mlc_truth(high != SPLATQ(0)));
    }
    FN VQ mlc_floor_div_q(VQ a, int64_t b) {
      if (__builtin_expect(!mlc_is_short_q(a, b), 0)) {
        for (int k = 0; k < VL; k++) a[k] = mlc_floor_div(a[k], b);
        return a;
      }
      const VQ shift = SPLATQ(INT64_C(0x4338000000000000));
      const VD x = ((VD)(a + shift) - 0x1.8p52) / (double)b, t = x + 0x1.8p52;
      return (VQ)t - shift + (VQ)(t - 0x1.8p52 > x);
    }
    FN VQ mlc_floor_mod_q(VQ a, int64_t b) { return a - mlc_floor_div_q(a, b) * b; }

    /// What is left of a where b is taken from it as often as it is there, with the sign of a.
    FN V mlc_fmod_v(V a, V b) {
      const VD x = __builtin_convertvector(a, VD), y = __builtin_convertvector(b, VD), q = x / y;
      const VI isShort = mlc_truth((q < 0x1p28) & (q > -0x1p28) & (y * 0 == 0));
      if (__builtin_expect(mlc_any(~isShort), 0)) {
        V r;
        for (int k = 0; k < VL; k++) r[k] = mlc_fmod_f32(a[k], b[k]);
        return r;
      }
      const VD whole = __builtin_convertvector(__builtin_convertvector(q, VI), VD);
      return mlc_copysign_v(__builtin_convertvector(x - whole * y, V), a);
    }
    /// The same with the sign of b.
    FN V mlc_mod_v(V a, V b) {
      const V r = mlc_fmod_v(a, b);
      const V turned = mlc_select_v((r < 0) ^ (b < 0), r + b, r);
      return mlc_select_v(mlc_eq_v(r, SPLAT(0.0f)), mlc_copysign_v(SPLAT(0.0f), b), turned);
    }
    """#
}
