extension Prelude {
  /// Bits, truth values and choice, on one float and on a vector.
  static let select = #"""
    FN @I mlc_bits_@_(@F x) { @I u; __builtin_memcpy(&u, &x, sizeof u); return u; }
    FN @F mlc_from_bits_@_(@I u) { @F x; __builtin_memcpy(&x, &u, sizeof x); return x; }
    FN @F mlc_select_@_(@I m, @F a, @F b) {
      return mlc_from_bits_@_((m & mlc_bits_@_(a)) | (~m & mlc_bits_@_(b)));
    }
    FN @I mlc_selecti_@_(@I m, @I a, @I b) { return (m & a) | (~m & b); }
    FN @I mlc_lt_@_(@F a, @F b) { return sizeof a == 4 ? -(a < b) : (a < b); }
    FN @I mlc_eq_@_(@F a, @F b) { return sizeof a == 4 ? -(a == b) : (a == b); }
    FN @I mlc_ne_@_(@F a, @F b) { return sizeof a == 4 ? -(a != b) : (a != b); }
    /// The greater or less for a `c` that is not NaN: one instruction.
    FN @F mlc_max_number_@_(@F a, @F c) { return mlc_select_@_(mlc_lt_@_(a, c), c, a); }
    FN @F mlc_min_number_@_(@F a, @F c) { return mlc_select_@_(mlc_lt_@_(c, a), c, a); }
    /// The same for any: NaN when either is NaN.
    FN @F mlc_max_@_(@F a, @F b) { return mlc_select_@_(mlc_ne_@_(b, b), b, mlc_max_number_@_(a, b)); }
    FN @F mlc_min_@_(@F a, @F b) { return mlc_select_@_(mlc_ne_@_(b, b), b, mlc_min_number_@_(a, b)); }
    FN @F mlc_abs_@_(@F x) { return mlc_from_bits_@_(mlc_bits_@_(x) & 0x7fffffff); }
    FN @F mlc_copysign_@_(@F x, @F y) {
      return mlc_from_bits_@_((mlc_bits_@_(x) & 0x7fffffff) | (mlc_bits_@_(y) & (int32_t)0x80000000));
    }
    /// −1, 0 or 1; zeros and NaN are themselves.
    FN @F mlc_sign_@_(@F x) {
      return mlc_select_@_(mlc_lt_@_(@(0.0f), mlc_abs_@_(x)), mlc_copysign_@_(@(1.0f), x), x);
    }
    """#

  /// Products with powers of two, which AVX-512 has an instruction for.
  static let scaling = #"""
    /// x · 2ⁿ for an integer n in −252 … 254, given as a float.
    FN @F mlc_scale_@_(@F x, @F n) {
      @I k = mlc_bits_@_(n + 12582912.0f) - 0x4b400000, h = k >> 1;
      return x * mlc_from_bits_@_((h + 127) << 23) * mlc_from_bits_@_((k - h + 127) << 23);
    }
    """#
  static let scalingInstruction = #"""
    FN V mlc_scale_v(V x, V n) { return __builtin_ia32_scalefps512_mask(x, n, x, (unsigned short)-1, 4); }
    """#

  /// Polynomials after argument reduction. Results below 2⁻¹²⁶ may lose precision; NaN stays NaN.
  static let math = #"""
    /// (eʳ − 1 − r) / r² for |r| ≤ 0.35.
    FN @F mlc_exp_core_@_(@F r) {
      @F p = @(1.9875691500e-4f);
      p = p * r + 1.3981999507e-3f;
      p = p * r + 8.3334519073e-3f;
      p = p * r + 4.1665795894e-2f;
      p = p * r + 1.6666665459e-1f;
      return p * r + 5.0000001201e-1f;
    }
    /// eʳ for |r| ≤ 0.35. A product that is rounded before a sum would lose in the first form what the second keeps.
    FN @F mlc_exp_near_@_(@F r) {
    #if defined(__FMA__) || defined(__aarch64__)
      return (mlc_exp_core_@_(r) * r + 1.0f) * r + 1.0f;
    #else
      return mlc_exp_core_@_(r) * (r * r) + r + 1.0f;
    #endif
    }
    FN @F mlc_exp_@_(@F x) {
      x = mlc_min_number_@_(mlc_max_number_@_(x, @(-104.0f)), @(89.0f));
      @F n = x * 1.44269504088896341f + 12582912.0f;
      n = n - 12582912.0f;
      @F r = x - n * 0.693359375f;
      r = r + n * 2.12194440e-4f;
      return mlc_scale_@_(mlc_exp_near_@_(r), n);
    }
    /// eˣ for −88 ≤ x ≤ 89, where results below 2⁻¹²⁶ are 0 and those above 2¹²⁷·√2 infinite.
    FN @F mlc_exp_within_@_(@F x) {
      /// The lowest bits of t are those of n + 127, an exponent of two.
      @F t = x * 1.44269504088896341f + 12583039.0f;
      @F n = t - 12583039.0f;
      @F r = x - n * 0.693359375f;
      r = r + n * 2.12194440e-4f;
      return mlc_exp_near_@_(r) * mlc_from_bits_@_(mlc_bits_@_(t) << 23);
    }
    /// eˣ for x ≤ 0; 0 below −88.
    FN @F mlc_exp_negative_@_(@F x) { return mlc_exp_within_@_(mlc_max_number_@_(x, @(-88.0f))); }
    /// eˣ; 0 below −88 and infinite above 88.4.
    FN @F mlc_exp_short_@_(@F x) {
      return mlc_exp_within_@_(mlc_min_number_@_(mlc_max_number_@_(x, @(-88.0f)), @(89.0f)));
    }
    FN @F mlc_exp2_@_(@F x) {
      x = mlc_min_number_@_(mlc_max_number_@_(x, @(-150.0f)), @(129.0f));
      @F n = x + 12582912.0f;
      n = n - 12582912.0f;
      return mlc_scale_@_(mlc_exp_near_@_((x - n) * 0.693147180559945f), n);
    }
    FN @F mlc_expm1_@_(@F x) {
      @F c = mlc_min_number_@_(mlc_max_number_@_(x, @(-30.0f)), @(89.0f));
      @F n = c * 1.44269504088896341f + 12582912.0f;
      n = n - 12582912.0f;
      @F r = c - n * 0.693359375f;
      r = r + n * 2.12194440e-4f;
      @F h = mlc_scale_@_(@(0.5f), n);
      @F y = 2.0f * (h * (mlc_exp_core_@_(r) * (r * r) + r) + (h - 0.5f));
      return mlc_select_@_(mlc_lt_@_(mlc_abs_@_(x), @(0x1p-40f)), x, y);
    }
    FN @F mlc_log_@_(@F x) {
      @I small = mlc_lt_@_(x, @(0x1p-126f));
      @F a = mlc_select_@_(small, x * 0x1p23f, x);
      @I u = mlc_bits_@_(a) - 0x3f3504f3;
      @F m = mlc_from_bits_@_((u & 0x7fffff) + 0x3f3504f3) - 1.0f;
      @I k = (u >> 23) - (small & 23);
      @F e = mlc_from_bits_@_(k + 0x4b400000) - 12582912.0f;
      @F z = m * m, p = @(7.0376836292e-2f);
      p = p * m - 1.1514610310e-1f;
      p = p * m + 1.1676998740e-1f;
      p = p * m - 1.2420140846e-1f;
      p = p * m + 1.4249322787e-1f;
      p = p * m - 1.6668057665e-1f;
      p = p * m + 2.0000714765e-1f;
      p = p * m - 2.4999993993e-1f;
      p = p * m + 3.3333331174e-1f;
      @F y = p * m * z + e * -2.12194440e-4f - 0.5f * z;
      y = (m + y) + e * 0.693359375f;
      y = mlc_select_@_(mlc_eq_@_(x, @(0.0f)), @(-__builtin_inff()), y);
      y = mlc_select_@_(mlc_lt_@_(x, @(0.0f)), @(__builtin_nanf("")), y);
      return mlc_select_@_(mlc_lt_@_(x, @(__builtin_inff())), y, mlc_abs_@_(x));
    }
    FN @F mlc_log1p_@_(@F x) {
      @F u = x + 1.0f;
      @F y = mlc_log_@_(u) + (x - (u - 1.0f)) / u;
      y = mlc_select_@_(mlc_eq_@_(u, @(0.0f)), @(-__builtin_inff()), y);
      y = mlc_select_@_(mlc_lt_@_(mlc_abs_@_(x), @(0x1p-40f)), x, y);
      return mlc_select_@_(mlc_eq_@_(x, @(__builtin_inff())), x, y);
    }
    FN @F mlc_sigmoid_@_(@F x) {
      x = mlc_min_number_@_(mlc_max_number_@_(x, @(-89.0f)), @(88.0f));
      return 1.0f / (1.0f + mlc_exp_within_@_(-x));
    }
    FN @F mlc_tanh_@_(@F x) {
      @F a = mlc_abs_@_(x), z = x * x, p = @(-5.70498872745e-3f);
      p = p * z + 2.06390887954e-2f;
      p = p * z - 5.37397155531e-2f;
      p = p * z + 1.33314422036e-1f;
      p = p * z - 3.33332819422e-1f;
      @F large = 1.0f - 2.0f / (mlc_exp_short_@_(a + a) + 1.0f);
      return mlc_select_@_(mlc_lt_@_(a, @(0.625f)), p * z * x + x, mlc_copysign_@_(large, x));
    }
    /// A quotient of polynomials in x² for |x| ≤ 3.92, ±1 to rounding beyond; within 4e-7.
    FN @F mlc_erf_@_(@F x) {
      @F c = mlc_min_number_@_(mlc_max_number_@_(x, @(-3.92f)), @(3.92f)), z = c * c;
      @F p = @(0x1.564b96p-26f), q = @(0x1.f5347cp-11f);
      p = p * z - 0x1.06c568p-19f;
      p = p * z + 0x1.29779ep-13f;
      p = p * z + 0x1.e52492p-9f;
      p = p * z + 0x1.9e4a48p-5f;
      p = p * z + 0x1.996ee6p-3f;
      p = p * z + 0x1.20dd74p+0f;
      q = q * z + 0x1.d64f0ap-7f;
      q = q * z + 0x1.d705fap-4f;
      q = q * z + 0x1.0560e4p-1f;
      q = q * z + 1.0f;
      return mlc_min_number_@_(mlc_max_number_@_(c * p / q, @(-1.0f)), @(1.0f));
    }
    """#
}
