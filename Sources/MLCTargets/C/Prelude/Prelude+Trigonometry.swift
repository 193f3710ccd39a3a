extension Prelude {
  /// Sine, cosine and tangent. Each comment has the greatest error over float32, in units in the last place of the
  /// result or, for sine and cosine, of 1.
  static let trigonometry = #"""
    /// sin(x + shift·π/2) for |x| ≤ 10⁴, 2 ulp.
    FN @F mlc_sin_core_@_(@F x, int32_t shift) {
      @F n = x * 0.636619772367581343f + 12582912.0f;
      @I k = mlc_bits_@_(n) + shift;
      n = n - 12582912.0f;
      @F r = x - n * 1.5703125f;
      r = r - n * 4.837512969970703125e-4f;
      r = r - n * 7.549789954891882e-8f;
      @F z = r * r, s = @(-1.9515295891e-4f), c = @(2.443315711809948e-5f);
      s = (s * z + 8.3321608736e-3f) * z - 1.6666654611e-1f;
      s = s * z * r + r;
      c = (c * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f;
      c = c * z * z - 0.5f * z + 1.0f;
      @F y = mlc_select_@_(-(k & 1), c, s);
      return mlc_from_bits_@_(mlc_bits_@_(y) ^ (k & 2) << 30);
    }
    /// tan x for |x| ≤ 10⁴, 1 ulp: the quotient of sine and cosine in double, exact enough beside a pole.
    FN @F mlc_tan_near_@_(@F x) {
      @F n = x * 0.636619772367581343f + 12582912.0f;
      @I isOdd = -(mlc_bits_@_(n) & 1);
      @D w = mlc_wide_@_(n - 12582912.0f);
      @D r = (mlc_wide_@_(x) - w * 1.5707963267341256) - w * 6.077100506506192e-11, z = r * r;
      @D s = z * 2.7172485012790407e-06 - 0.0001983919170660769, c = z * 2.437876474351052e-05 - 0.0013886606470226049;
      s = (s * z + 0.008333328747691654) * z - 0.1666666663123318;
      s = s * z * r + r;
      c = (c * z + 0.04166661631096593) * z - 0.4999999961092855;
      c = c * z + 0.9999999999518825;
      return mlc_narrow_@_(mlc_select_wide_@_(isOdd, -c, s) / mlc_select_wide_@_(isOdd, s, c));
    }
    FN @F mlc_sin_near_@_(@F x) { return mlc_sin_core_@_(x, 0); }
    FN @F mlc_cos_near_@_(@F x) { return mlc_sin_core_@_(x, 1); }
    """#

  /// Beyond 10⁴ libm is asked.
  static let farTrigonometry = ["sin", "cos", "tan"].map { name in
    """
    FN float mlc_\(name)_f32(float x) {
      return __builtin_fabsf(x) <= 1e4f ? mlc_\(name)_near_f32(x) : mlc_imports->\(name)f(x);
    }
    FN V mlc_\(name)_v(V x) {
      V r = mlc_\(name)_near_v(x);
      VI far = ~(mlc_abs_v(x) <= SPLAT(1e4f));
      for (int i = 0; i < VL; i++) if (far[i]) r[i] = mlc_imports->\(name)f(x[i]);
      return r;
    }
    """
  }.joined(separator: "\n")
}
