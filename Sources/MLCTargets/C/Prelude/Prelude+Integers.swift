extension Prelude {
  /// Functions that are libm's, one lane at a time in a vector; rounding; double precision.
  static let libm = #"""
    /// What the driver gave the module as it was loaded.
    extern __attribute__((visibility("hidden"))) const mlc_math *mlc_imports;
    \#(imported)
    FN double mlc_floor_f64(double x) { return __builtin_floor(x); }
    FN double mlc_ceil_f64(double x) { return __builtin_ceil(x); }
    FN double mlc_trunc_f64(double x) { return __builtin_trunc(x); }
    FN double mlc_sqrt_f64(double x) { return __builtin_sqrt(x); }
    FN double mlc_abs_f64(double x) { return __builtin_fabs(x); }
    FN double mlc_sign_f64(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
    FN double mlc_sigmoid_f64(double x) { return 1 / (1 + mlc_exp_f64(-x)); }
    FN double mlc_max_f64(double a, double b) { return a > b || a != a ? a : b; }
    FN double mlc_min_f64(double a, double b) { return a < b || a != a ? a : b; }
    FN float mlc_floor_f32(float x) { return __builtin_floorf(x); }
    FN float mlc_ceil_f32(float x) { return __builtin_ceilf(x); }
    FN float mlc_trunc_f32(float x) { return __builtin_truncf(x); }
    FN float mlc_sqrt_f32(float x) { return __builtin_sqrtf(x); }
    #if defined(__clang__) && __clang_major__ >= 17
    FN double mlc_round_f64(double x) { return __builtin_roundeven(x); }
    FN float mlc_round_f32(float x) { return __builtin_roundevenf(x); }
    FN int32_t mlc_any(VI m) { return __builtin_reduce_or(m); }
    FN VI mlc_absi_v(VI x) { return __builtin_elementwise_abs(x); }
    FN VI mlc_maxi_v(VI a, VI b) { return __builtin_elementwise_max(a, b); }
    FN VI mlc_mini_v(VI a, VI b) { return __builtin_elementwise_min(a, b); }
    #else
    FN double mlc_round_f64(double x) { return __builtin_rint(x); }
    FN float mlc_round_f32(float x) { return __builtin_rintf(x); }
    FN int32_t mlc_any(VI m) { int32_t r = 0; for (int i = 0; i < VL; i++) r |= m[i]; return r; }
    FN VI mlc_absi_v(VI x) { return (x ^ x >> 31) - (x >> 31); }
    FN VI mlc_maxi_v(VI a, VI b) { return mlc_selecti_v(a > b, a, b); }
    FN VI mlc_mini_v(VI a, VI b) { return mlc_selecti_v(a < b, a, b); }
    #endif
    \#(roundings)
    FN double mlc_pow_f64(double a, double b) { return mlc_imports->pow(a, b); }
    FN float mlc_fmod_f32(float a, float b) { return mlc_imports->fmodf(a, b); }
    FN double mlc_fmod_f64(double a, double b) { return mlc_imports->fmod(a, b); }
    FN float mlc_mod_f32(float a, float b) {
      float r = mlc_imports->fmodf(a, b);
      if (r == 0) return __builtin_copysignf(0, b);
      return (r < 0) != (b < 0) ? r + b : r;
    }
    FN double mlc_mod_f64(double a, double b) {
      double r = mlc_imports->fmod(a, b);
      if (r == 0) return __builtin_copysign(0, b);
      return (r < 0) != (b < 0) ? r + b : r;
    }
    \#(extremes)
    """#

  private static let imported = [
    "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "exp", "exp2", "expm1", "log", "log1p",
    "erf", "tanh", "sin", "cos",
  ].map { "FN double mlc_\($0)_f64(double x) { return mlc_imports->\($0)(x); }" }.joined(separator: "\n")

  private static let roundings = Prelude.rounding.map { name, builtin in
    Prelude.elementwise(name, builtin, vector: "V", lanes: "v", element: "f32")
  }.joined(separator: "\n")

  /// The name of a function, and that of the compiler's for all lanes.
  static let rounding = [
    ("floor", "floor"), ("ceil", "ceil"), ("trunc", "trunc"), ("round", "roundeven"), ("sqrt", "sqrt"),
  ]

  /// A function of each lane: the compiler's own where it has it, else that of one element.
  static func elementwise(_ name: String, _ builtin: String, vector: String, lanes: String, element: String) -> String {
    """
    #if defined(__clang__) && __clang_major__ >= 17
    FN \(vector) mlc_\(name)_\(lanes)(\(vector) x) { return __builtin_elementwise_\(builtin)(x); }
    #else
    FN \(vector) mlc_\(name)_\(lanes)(\(vector) x) {
      \(vector) r;
      for (int i = 0; i < VL; i++) r[i] = mlc_\(name)_\(element)(x[i]);
      return r;
    }
    #endif
    """
  }

  private static let extremes = [("mlc_hmax", "<"), ("mlc_hmin", ">")].map { name, sign in
    """
    FN float \(name)(V v) {
      if (__builtin_expect(mlc_any(v != v), 0)) return __builtin_nanf("");
      float t[VL];
      ST(t, v);
      for (int h = VL / 2; h > 0; h /= 2) for (int i = 0; i < h; i++) t[i] = t[i] \(sign) t[i + h] ? t[i + h] : t[i];
      return t[0];
    }
    """
  }.joined(separator: "\n")

  /// Sizes, checked indices and conversions.
  static let integers = #"""
    FN int64_t mlc_floor_div(int64_t a, int64_t b) {
      if (b == 0) return 0;
      int64_t q = a / b;
      return q - (q * b != a && (a < 0) != (b < 0));
    }
    FN int64_t mlc_floor_mod(int64_t a, int64_t b) { return a - mlc_floor_div(a, b) * b; }
    FN int64_t mlc_max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
    FN int64_t mlc_min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

    /// Nothing where `fault` is null.
    FN void mlc_fault_set(int64_t *fault, int64_t what) {
      if (fault != 0 && __atomic_load_n(fault, __ATOMIC_RELAXED) == 0) __atomic_store_n(fault, what, __ATOMIC_RELAXED);
    }
    /// `i` where it lies in `0 ..< n`, else the nearest that does, and a fault.
    FN int64_t mlc_index(int64_t i, int64_t n, int64_t *fault) {
      if (__builtin_expect((uint64_t)i < (uint64_t)n, 1)) return i;
      mlc_fault_set(fault, MLC_FAULT_INDEX);
      return i < 0 || n <= 0 ? 0 : n - 1;
    }

    /// Truncates toward zero; NaN is 0, beyond int64 is the nearest int64.
    FN int64_t mlc_i64_f64(double x) {
      return x != x ? 0 : x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : (int64_t)x;
    }
    FN int64_t mlc_i64_f32(float x) {
      return x != x ? 0 : x >= 0x1p63f ? INT64_MAX : x < -0x1p63f ? INT64_MIN : (int64_t)x;
    }
    """#

  /// Packed elements and what is around planes.
  static let memory = #"""
    /// Element `i` of densely packed `width`-bit values, low bits first.
    FN uint8_t mlc_packed(const uint8_t *p, int64_t i, int width) {
      int64_t bit = i * width;
      uint32_t two = p[bit >> 3];
      if ((bit & 7) + width > 8) two |= (uint32_t)p[(bit >> 3) + 1] << 8;
      return (uint8_t)(two >> (bit & 7) & ((1u << width) - 1));
    }
    /// Fills the halo of one stored plane `[top + h + bottom][left + w + right]` of pixels of `bytes` bytes.
    FN void mlc_fill_halo(
      char *plane, int64_t h, int64_t w, int64_t top, int64_t bottom, int64_t left, int64_t right, int64_t bytes,
      int fill) {
      int64_t row = (left + w + right) * bytes;
      __builtin_memset(plane, fill, (uint64_t)(top * row));
      for (int64_t y = top; y < top + h; y++) {
        __builtin_memset(plane + y * row, fill, (uint64_t)(left * bytes));
        __builtin_memset(plane + y * row + (left + w) * bytes, fill, (uint64_t)(right * bytes));
      }
      __builtin_memset(plane + (top + h) * row, fill, (uint64_t)(bottom * row));
    }
    """#
}
