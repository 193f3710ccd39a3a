extension Prelude {
  /// Powers: logarithms and their multiples in double, which float32 has not the bits for.
  static let powers = #"""
    /// log₂ a for a positive finite float32 a, to a relative 2⁻⁴⁴.
    FN @D mlc_log2_wide_@_(@F a) {
      @D w = mlc_wide_@_(a);
      @Q u, k;
      __builtin_memcpy(&u, &w, sizeof u);
      k = (u - 0x3fe6a09e667f3bcd) >> 52;
      u -= k << 52;
      k += 0x4338000000000000;
      @D m, e;
      __builtin_memcpy(&m, &u, sizeof u);
      __builtin_memcpy(&e, &k, sizeof k);
      @D s = (m - 1.0) / (m + 1.0), z = s * s, p = z * 0.2829066165906811 + 0.3199053739227617;
      p = p * z + 0.412209256786155;
      p = p * z + 0.5770779423594591;
      p = p * z + 0.9617966941132127;
      p = p * z + 2.88539008177785;
      return p * s + (e - 0x1.8p52);
    }
    /// 2ᵖ for |p| ≤ 1000, to a relative 2⁻³⁴, rounded to float32.
    FN @F mlc_exp2_wide_@_(@D p) {
      @D n = p + 0x1.8p52;
      @Q k;
      __builtin_memcpy(&k, &n, sizeof k);
      @D f = p - (n - 0x1.8p52), y = f * 1.5303700711365693e-05 + 0.00015469729214118296;
      y = y * f + 0.0013333478473685416;
      y = y * f + 0.009618025613318034;
      y = y * f + 0.055504109063258665;
      y = y * f + 0.24022651213498092;
      y = y * f + 0.6931471805568324;
      y = y * f + 0.9999999999595618;
      k = (k + 1023) << 52;
      __builtin_memcpy(&n, &k, sizeof k);
      return mlc_narrow_@_(y * n);
    }
    /// xʸ, 1 ulp, with C's values of zeros, infinities and NaN.
    FN @F mlc_pow_@_(@F x, @F y) {
      const @F infinity = @(__builtin_inff()), zero = @(0.0f), nan = @(__builtin_nanf(""));
      const @F a = mlc_abs_@_(x), h = 0.5f * y;
      const @I isWhole = mlc_eq_@_(mlc_floor_@_(y), y), isOdd = isWhole & mlc_ne_@_(mlc_floor_@_(h), h);
      @F r = mlc_exp2_wide_@_(mlc_within_1000_@_(mlc_wide_@_(y) * mlc_log2_wide_@_(a)));
      const @I isZero = mlc_eq_@_(a, zero), isInfinite = mlc_eq_@_(a, infinity);
      const @I grows = (isZero & mlc_lt_@_(y, zero)) | (isInfinite & mlc_lt_@_(zero, y));
      r = mlc_select_@_(isZero | isInfinite, mlc_select_@_(grows, infinity, zero), r);
      r = mlc_from_bits_@_(mlc_bits_@_(r) ^ (mlc_bits_@_(x) & isOdd & (int32_t)0x80000000));
      const @I isUndefined = mlc_lt_@_(x, zero) & ~isInfinite & ~isWhole;
      r = mlc_select_@_(isUndefined | mlc_ne_@_(x, x) | mlc_ne_@_(y, y), nan, r);
      const @I isOne = mlc_eq_@_(y, zero) | mlc_eq_@_(x, @(1.0f))
        | (mlc_eq_@_(x, @(-1.0f)) & mlc_eq_@_(mlc_abs_@_(y), infinity));
      return mlc_select_@_(isOne, @(1.0f), r);
    }
    """#
}
