extension Prelude {
  /// Functions that are libm's, one lane at a time in a vector; rounding; double precision.
  static let libm = #"""
    /// What the driver gave the module as it was loaded.
    extern __attribute__((visibility("hidden"))) const mlc_math *mlc_imports;
    #define MLC_EACH_LANE(name) FN V mlc_##name##_v(V x) { \
      V r; \
      for (int i = 0; i < VL; i++) r[i] = mlc_##name##_f32(x[i]); \
      return r; }
    #define MLC_LIBM(name) FN double mlc_##name##_f64(double x) { return mlc_imports->name(x); }
    MLC_LIBM(tan) MLC_LIBM(asin) MLC_LIBM(acos) MLC_LIBM(atan) MLC_LIBM(sinh) MLC_LIBM(cosh)
    MLC_LIBM(asinh) MLC_LIBM(acosh) MLC_LIBM(atanh)
    MLC_LIBM(exp) MLC_LIBM(exp2) MLC_LIBM(expm1) MLC_LIBM(log) MLC_LIBM(log1p) MLC_LIBM(erf) MLC_LIBM(tanh)
    MLC_LIBM(sin) MLC_LIBM(cos)
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
    #define MLC_ROUNDING(name, builtin) FN V mlc_##name##_v(V x) { return __builtin_elementwise_##builtin(x); }
    FN int32_t mlc_any(VI m) { return __builtin_reduce_or(m); }
    FN VI mlc_absi_v(VI x) { return __builtin_elementwise_abs(x); }
    FN VI mlc_maxi_v(VI a, VI b) { return __builtin_elementwise_max(a, b); }
    FN VI mlc_mini_v(VI a, VI b) { return __builtin_elementwise_min(a, b); }
    #else
    FN double mlc_round_f64(double x) { return __builtin_rint(x); }
    FN float mlc_round_f32(float x) { return __builtin_rintf(x); }
    #define MLC_ROUNDING(name, builtin) MLC_EACH_LANE(name)
    FN int32_t mlc_any(VI m) { int32_t r = 0; for (int i = 0; i < VL; i++) r |= m[i]; return r; }
    FN VI mlc_absi_v(VI x) { return (x ^ x >> 31) - (x >> 31); }
    FN VI mlc_maxi_v(VI a, VI b) { return mlc_selecti_v(a > b, a, b); }
    FN VI mlc_mini_v(VI a, VI b) { return mlc_selecti_v(a < b, a, b); }
    #endif
    MLC_ROUNDING(floor, floor) MLC_ROUNDING(ceil, ceil) MLC_ROUNDING(trunc, trunc) MLC_ROUNDING(round, roundeven)
    MLC_ROUNDING(sqrt, sqrt)

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
    #define MLC_EXTREME_IN_PAIRS(name, op) FN float name(V v) { \
      if (__builtin_expect(mlc_any(v != v), 0)) return __builtin_nanf(""); \
      float t[VL]; \
      ST(t, v); \
      for (int h = VL / 2; h > 0; h /= 2) for (int i = 0; i < h; i++) t[i] = t[i] op t[i + h] ? t[i + h] : t[i]; \
      return t[0]; }
    MLC_EXTREME_IN_PAIRS(mlc_hmax, <) MLC_EXTREME_IN_PAIRS(mlc_hmin, >)
    """#

  /// Sizes, checked indices, and integer arithmetic that never traps.
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

    #define MLC_SIGNED(t, T, U) \
      FN T mlc_div_##t(T a, T b, int64_t *fault) { \
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; } \
        return b == -1 ? (T)(0 - (U)a) : (T)(a / b); } \
      FN T mlc_fmod_##t(T a, T b, int64_t *fault) { \
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; } \
        return b == -1 ? 0 : (T)(a % b); } \
      FN T mlc_mod_##t(T a, T b, int64_t *fault) { \
        T r = mlc_fmod_##t(a, b, fault); \
        return r != 0 && (r < 0) != (b < 0) ? (T)(r + b) : r; } \
      FN T mlc_abs_##t(T a) { return a < 0 ? (T)(0 - (U)a) : a; } \
      FN T mlc_sign_##t(T a) { return (T)((a > 0) - (a < 0)); } \
      FN T mlc_pow_##t(T a, T b) { \
        if (b < 0) return a == 1 ? 1 : a == -1 ? ((U)b & 1 ? -1 : 1) : 0; \
        U r = 1, x = (U)a; \
        for (U e = (U)b; e; e >>= 1) { if (e & 1) r = (U)(r * (uint64_t)x); x = (U)(x * (uint64_t)x); } \
        return (T)r; } \
      FN T mlc_shl_##t(T a, T b) { return (U)b < sizeof(T) * 8 ? (T)((U)a << b) : 0; } \
      FN T mlc_shr_##t(T a, T b) { return (T)((U)b < sizeof(T) * 8 ? a >> b : a < 0 ? -1 : 0); } \
      FN T mlc_max_##t##_(T a, T b) { return a > b ? a : b; } \
      FN T mlc_min_##t##_(T a, T b) { return a < b ? a : b; }
    #define MLC_UNSIGNED(t, T) \
      FN T mlc_div_##t(T a, T b, int64_t *fault) { \
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; } \
        return (T)(a / b); } \
      FN T mlc_mod_##t(T a, T b, int64_t *fault) { \
        if (b == 0) { mlc_fault_set(fault, MLC_FAULT_DIVISION); return 0; } \
        return (T)(a % b); } \
      FN T mlc_fmod_##t(T a, T b, int64_t *fault) { return mlc_mod_##t(a, b, fault); } \
      FN T mlc_abs_##t(T a) { return a; } \
      FN T mlc_sign_##t(T a) { return a != 0; } \
      FN T mlc_pow_##t(T a, T b) { \
        T r = 1; \
        for (; b; b >>= 1) { if (b & 1) r = (T)(r * (uint64_t)a); a = (T)(a * (uint64_t)a); } \
        return r; } \
      FN T mlc_shl_##t(T a, T b) { return b < sizeof(T) * 8 ? (T)((uint64_t)a << b) : 0; } \
      FN T mlc_shr_##t(T a, T b) { return b < sizeof(T) * 8 ? (T)(a >> b) : 0; } \
      FN T mlc_max_##t##_(T a, T b) { return a > b ? a : b; } \
      FN T mlc_min_##t##_(T a, T b) { return a < b ? a : b; }
    MLC_SIGNED(i8, int8_t, uint8_t) MLC_SIGNED(i16, int16_t, uint16_t)
    MLC_SIGNED(i32, int32_t, uint32_t) MLC_SIGNED(i64, int64_t, uint64_t)
    MLC_UNSIGNED(u8, uint8_t) MLC_UNSIGNED(u16, uint16_t) MLC_UNSIGNED(u32, uint32_t) MLC_UNSIGNED(u64, uint64_t)
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
