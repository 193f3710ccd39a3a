extension Prelude {
  /// Vector types, loads and stores (whole, and of the first `n` lanes), and horizontal reductions.
  static let vectors = #"""
    #define FN static inline __attribute__((always_inline, unused))
    typedef float V __attribute__((vector_size(VL * 4)));
    typedef float VU __attribute__((vector_size(VL * 4), aligned(4), may_alias));
    typedef int32_t VI __attribute__((vector_size(VL * 4)));
    typedef int32_t VIU __attribute__((vector_size(VL * 4), aligned(4), may_alias));
    typedef uint16_t VH __attribute__((vector_size(VL * 2)));
    typedef uint16_t VHU __attribute__((vector_size(VL * 2), aligned(2), may_alias));
    typedef int8_t VB __attribute__((vector_size(VL)));
    typedef int8_t VBU __attribute__((vector_size(VL), aligned(1), may_alias));
    typedef uint8_t VUB __attribute__((vector_size(VL)));
    typedef uint8_t VUBU __attribute__((vector_size(VL), aligned(1), may_alias));
    #define LD(p) ((V)*(const VU *)(p))
    #define ST(p, v) (*(VU *)(p) = (v))
    #define LDI(p) ((VI)*(const VIU *)(p))
    #define STI(p, v) (*(VIU *)(p) = (v))
    /* x - 0 is x, whatever its sign; x + 0 is not. */
    #define SPLAT(x) ((float)(x) - (V){})
    #define SPLATI(x) ((VI){} + (int32_t)(x))

    FN VI mlc_iota(void) { VI r; for (int i = 0; i < VL; i++) r[i] = i; return r; }
    /// −1 in the first `n` lanes.
    FN VI mlc_first(int64_t n) { return mlc_iota() < SPLATI(n); }

    #if VL == 16 && defined(__AVX512F__)
    FN V mlc_ld_part(const float *p, int64_t n) {
      return __builtin_ia32_loadups512_mask((const void *)p, (V){}, (unsigned short)((1u << n) - 1));
    }
    FN void mlc_st_part(float *p, V v, int64_t n) {
      __builtin_ia32_storeups512_mask((void *)p, v, (unsigned short)((1u << n) - 1));
    }
    #elif VL == 8 && defined(__AVX__)
    FN V mlc_ld_part(const float *p, int64_t n) { return __builtin_ia32_maskloadps256((const void *)p, mlc_first(n)); }
    FN void mlc_st_part(float *p, V v, int64_t n) { __builtin_ia32_maskstoreps256((void *)p, mlc_first(n), v); }
    #else
    FN V mlc_ld_part(const float *p, int64_t n) {
      V r = {};
      for (int i = 0; i < VL; i++) if (i < n) r[i] = p[i];
      return r;
    }
    FN void mlc_st_part(float *p, V v, int64_t n) { for (int i = 0; i < VL; i++) if (i < n) p[i] = v[i]; }
    #endif
    /// The first `n` lanes, none and all among them.
    FN void mlc_st_some(float *p, V v, int64_t n) {
      if (n >= VL) ST(p, v);
      else if (n > 0) mlc_st_part(p, v, n);
    }
    FN VI mlc_ldi_part(const int32_t *p, int64_t n) { return (VI)mlc_ld_part((const float *)(const void *)p, n); }
    FN void mlc_sti_part(int32_t *p, VI v, int64_t n) { mlc_st_part((float *)(void *)p, (V)v, n); }
    FN VH mlc_ldh_part(const uint16_t *p, int64_t n) {
      uint16_t t[VL] = {0};
      for (int i = 0; i < VL; i++) if (i < n) t[i] = p[i];
      return *(const VHU *)t;
    }
    FN void mlc_sth_part(uint16_t *p, VH v, int64_t n) { for (int i = 0; i < VL; i++) if (i < n) p[i] = v[i]; }
    FN VB mlc_ldb_part(const int8_t *p, int64_t n) {
      int8_t t[VL] = {0};
      for (int i = 0; i < VL; i++) if (i < n) t[i] = p[i];
      return *(const VBU *)t;
    }
    FN void mlc_stb_part(int8_t *p, VB v, int64_t n) { for (int i = 0; i < VL; i++) if (i < n) p[i] = v[i]; }

    #if VL == 16
    #define MLC_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
    #define MLC_ZIP_HIGH(a, b) \
      __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
    #elif VL == 8
    #define MLC_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
    #define MLC_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
    #else
    #define MLC_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
    #define MLC_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
    #endif
    /// Turns a tile of VL rows of VL lanes: log2(VL) perfect shuffles.
    FN void mlc_transpose(V *r) {
      _Pragma("clang loop unroll(full)") for (int n = 1; n < VL; n *= 2) {
        V t[VL];
        _Pragma("clang loop unroll(full)") for (int i = 0; i < VL / 2; i++) {
          t[2 * i] = MLC_ZIP_LOW(r[i], r[i + VL / 2]);
          t[2 * i + 1] = MLC_ZIP_HIGH(r[i], r[i + VL / 2]);
        }
        _Pragma("clang loop unroll(full)") for (int i = 0; i < VL; i++) r[i] = t[i];
      }
    }

    FN float mlc_hsum(V v) {
      float t[VL];
      ST(t, v);
      for (int h = VL / 2; h > 0; h /= 2) for (int i = 0; i < h; i++) t[i] += t[i + h];
      return t[0];
    }
    FN float mlc_hproduct(V v) {
      float t[VL];
      ST(t, v);
      for (int h = VL / 2; h > 0; h /= 2) for (int i = 0; i < h; i++) t[i] *= t[i + h];
      return t[0];
    }
    """#

  /// float16 and bfloat16, widened exactly and rounded to nearest even. Where the instruction set cannot convert
  /// float16, or the compiler has no such type everywhere, this is integer arithmetic, so that no compiler library is
  /// needed.
  static let halves = #"""
    FN float mlc_f32_bf16(uint16_t h) {
      uint32_t u = (uint32_t)h << 16;
      float f;
      __builtin_memcpy(&f, &u, 4);
      return f;
    }
    FN uint16_t mlc_bf16_f32(float f) {
      uint32_t u;
      __builtin_memcpy(&u, &f, 4);
      return f != f ? (uint16_t)(u >> 16 | 0x40) : (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
    FN V mlc_v_bf16(VH h) { return (V)(__builtin_convertvector(h, VI) << 16); }
    #if VL == 16 && defined(MLC_ROUNDS_FACTORS) && defined(__AVX512BF16__)
    /* Subnormal numbers become zero, as where pairs of them are multiplied. */
    FN VH mlc_bf16_v(V f) { VH r; __asm__("vcvtneps2bf16 %1, %0" : "=v"(r) : "v"(f)); return r; }
    #else
    FN VH mlc_bf16_v(V f) {
      VI u = (VI)f, nan = f != f;
      VI r = (u + 0x7fff + (u >> 16 & 1)) >> 16;
      return __builtin_convertvector((nan & (u >> 16 | 0x40)) | (~nan & r), VH);
    }
    #endif
    #if defined(__aarch64__) || (defined(__F16C__) && defined(__clang__) && __clang_major__ >= 15)
    typedef _Float16 VF16 __attribute__((vector_size(VL * 2)));
    FN float mlc_f32_f16(uint16_t h) { _Float16 x; __builtin_memcpy(&x, &h, 2); return (float)x; }
    FN uint16_t mlc_f16_f32(float f) { _Float16 x = (_Float16)f; uint16_t h; __builtin_memcpy(&h, &x, 2); return h; }
    FN V mlc_v_f16(VH h) { return __builtin_convertvector((VF16)h, V); }
    FN VH mlc_f16_v(V f) { return (VH)__builtin_convertvector(f, VF16); }
    #else
    FN V mlc_v_f16(VH h) {
      VI u = __builtin_convertvector(h, VI);
      VI top = -((u & 0x7c00) == 0x7c00) * 0x7f800000;
      V f = (V)((u & 0x7fff) << 13) * 0x1p112f;
      return (V)((VI)f | top | (u & 0x8000) << 16);
    }
    FN VH mlc_f16_v(V f) {
      VI u = (VI)f, sign = u >> 16 & 0x8000;
      u &= 0x7fffffff;
      VI nan = u > 0x7f800000, large = u >= 0x477ff000, small = u < 0x38800000;
      VI normal = (u - 0x38000000 + 0xfff + (u >> 13 & 1)) >> 13;
      VI tiny = (VI)((V)u + 0.5f) - 0x3f000000;
      VI r = (small & tiny) | (~small & normal);
      r = (large & 0x7c00) | (~large & r);
      r = (nan & 0x7e00) | (~nan & r);
      return __builtin_convertvector(r | sign, VH);
    }
    FN float mlc_f32_f16(uint16_t h) {
      uint32_t u = (uint32_t)(h & 0x7fff) << 13, sign = (uint32_t)(h & 0x8000) << 16;
      float f;
      __builtin_memcpy(&f, &u, 4);
      f *= 0x1p112f;
      __builtin_memcpy(&u, &f, 4);
      u |= ((h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0) | sign;
      __builtin_memcpy(&f, &u, 4);
      return f;
    }
    FN uint16_t mlc_f16_f32(float f) { return mlc_f16_v(SPLAT(f))[0]; }
    #endif
    /// A double as float32, rounded to odd: rounding that to a narrower format rounds as if once.
    FN float mlc_odd_f32(double d) {
      float f = (float)d;
      uint32_t u;
      __builtin_memcpy(&u, &f, 4);
      if ((double)f != d && d == d && (u & 0x7fffffff) < 0x7f800000) {
        if (__builtin_fabs((double)f) > __builtin_fabs(d)) u -= 1;
        u |= 1;
        __builtin_memcpy(&f, &u, 4);
      }
      return f;
    }
    FN uint16_t mlc_f16_f64(double d) { return mlc_f16_f32(mlc_odd_f32(d)); }
    FN uint16_t mlc_bf16_f64(double d) { return mlc_bf16_f32(mlc_odd_f32(d)); }
    FN V mlc_round_f16_v(V x) { return mlc_v_f16(mlc_f16_v(x)); }
    FN V mlc_round_bf16_v(V x) { return mlc_v_bf16(mlc_bf16_v(x)); }
    FN float mlc_round_f16_f32(float x) { return mlc_f32_f16(mlc_f16_f32(x)); }
    FN float mlc_round_bf16_f32(float x) { return mlc_f32_bf16(mlc_bf16_f32(x)); }
    """#
}
