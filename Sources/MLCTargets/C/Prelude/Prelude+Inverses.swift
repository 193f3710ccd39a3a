extension Prelude {
  /// Inverse trigonometric functions, hyperbolic ones and their inverses. Each comment has the greatest error over all
  /// float32, in units in the last place.
  static let inverses = #"""
    /// 3 ulp. Quotients bring x to |x| ≤ tan(π/8).
    FN @F mlc_atan_@_(@F x) {
      @F a = mlc_abs_@_(x);
      @I large = mlc_lt_@_(@(2.414213562373095f), a), middle = mlc_lt_@_(@(0.4142135623730950f), a);
      @F r = mlc_select_@_(large, -1.0f / a, mlc_select_@_(middle, (a - 1.0f) / (a + 1.0f), a));
      @F y = mlc_select_@_(large, @(1.5707963267948966f), mlc_select_@_(middle, @(0.7853981633974483f), @(0.0f)));
      @F low = mlc_select_@_(large, @(-4.37113883e-8f), mlc_select_@_(middle, @(-2.18556941e-8f), @(0.0f)));
      @F z = r * r, p = @(8.05374449538e-2f);
      p = p * z - 1.38776856032e-1f;
      p = p * z + 1.99777106478e-1f;
      p = p * z - 3.33329491539e-1f;
      return mlc_copysign_@_(y + ((p * z * r + low) + r), x);
    }
    /// asin r for 0 ≤ r ≤ ½, z = r².
    FN @F mlc_asin_core_@_(@F r, @F z) {
      @F p = @(4.2163199048e-2f);
      p = p * z + 2.4181311049e-2f;
      p = p * z + 4.5470025998e-2f;
      p = p * z + 7.4953002686e-2f;
      p = p * z + 1.6666752422e-1f;
      return p * z * r + r;
    }
    /// 3 ulp; NaN beyond ±1.
    FN @F mlc_asin_@_(@F x) {
      @F a = mlc_abs_@_(x);
      @I large = mlc_lt_@_(@(0.5f), a);
      @F z = mlc_select_@_(large, 0.5f - 0.5f * a, a * a);
      @F y = mlc_asin_core_@_(mlc_select_@_(large, mlc_sqrt_@_(z), a), z);
      return mlc_copysign_@_(mlc_select_@_(large, 1.5707963267948966f - ((y + y) + 4.37113883e-8f), y), x);
    }
    /// 2 ulp; NaN beyond ±1.
    FN @F mlc_acos_@_(@F x) {
      @F a = mlc_abs_@_(x);
      @I large = mlc_lt_@_(@(0.5f), a);
      @F z = mlc_select_@_(large, 0.5f - 0.5f * a, a * a);
      @F y = mlc_asin_core_@_(mlc_select_@_(large, mlc_sqrt_@_(z), a), z);
      @F outer = mlc_select_@_(mlc_lt_@_(x, @(0.0f)), 3.1415926535897931f - ((y + y) + 8.74227766e-8f), y + y);
      return mlc_select_@_(large, outer, 1.5707963267948966f - (mlc_copysign_@_(y, x) + 4.37113883e-8f));
    }
    /// 4 ulp.
    FN @F mlc_sinh_@_(@F x) {
      @F a = mlc_abs_@_(x), h = mlc_exp_@_(0.5f * a), z = x * x, p = @(2.03721912945e-4f);
      p = p * z + 8.33028376239e-3f;
      p = p * z + 1.66667160211e-1f;
      @F large = 0.5f * h * h - 0.5f / h / h;
      return mlc_select_@_(mlc_lt_@_(a, @(1.0f)), p * z * x + x, mlc_copysign_@_(large, x));
    }
    /// 4 ulp.
    FN @F mlc_cosh_@_(@F x) {
      @F h = mlc_exp_@_(0.5f * mlc_abs_@_(x));
      return 0.5f * h * h + 0.5f / h / h;
    }
    /// 3 ulp.
    FN @F mlc_asinh_@_(@F x) {
      @F a = mlc_abs_@_(x), z = a * a;
      @F small = mlc_log1p_@_(a + z / (1.0f + mlc_sqrt_@_(z + 1.0f)));
      @F large = mlc_log_@_(a) + 0.6931471805599453f;
      return mlc_copysign_@_(mlc_select_@_(mlc_lt_@_(a, @(0x1p30f)), small, large), x);
    }
    /// 3 ulp; NaN below 1.
    FN @F mlc_acosh_@_(@F x) {
      @F t = x - 1.0f;
      @F small = mlc_log1p_@_(t + mlc_sqrt_@_(t + t + t * t));
      @F y = mlc_select_@_(mlc_lt_@_(x, @(0x1p30f)), small, mlc_log_@_(x) + 0.6931471805599453f);
      return mlc_select_@_(mlc_lt_@_(x, @(1.0f)), @(__builtin_nanf("")), y);
    }
    /// 3 ulp; NaN beyond ±1.
    FN @F mlc_atanh_@_(@F x) {
      @F a = mlc_abs_@_(x);
      return mlc_copysign_@_(0.5f * mlc_log1p_@_((a + a) / (1.0f - a)), x);
    }
    """#
}
