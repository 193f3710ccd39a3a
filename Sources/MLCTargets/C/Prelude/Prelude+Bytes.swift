extension Prelude {
  /// Bytes: clamped floats as lanes of them, and dot products of four.
  static let bytes = #"""
    typedef int16_t VS __attribute__((vector_size(VL * 4)));
    typedef int32_t mlc_unaligned_word __attribute__((aligned(1), may_alias));
    /// The four bytes from `p` on in each lane.
    FN VI mlc_word(const void *p) { return SPLATI(*(const mlc_unaligned_word *)p); }

    /// x, less than 2^31, to the nearest whole number, halves to even; any of NaN.
    FN VI mlc_nearest(V x) {
    #if VL == 16 && defined(__AVX512F__)
      return __builtin_ia32_cvtps2dq512_mask(x, (VI){}, 0xffff, 4);
    #elif VL == 8 && defined(__AVX__)
      return __builtin_ia32_cvtps2dq256(x);
    #elif VL == 4 && defined(__SSE2__)
      return __builtin_ia32_cvtps2dq(x);
    #else
      return __builtin_convertvector((V)((VI)mlc_round_v(x) & (x == x)), VI);
    #endif
    }
    /// x rounded, or truncated, between two whole numbers, and `shift` more; 0 of NaN.
    FN VI mlc_rounded_v(V x, float low, float high, int shift) {
      return (mlc_nearest(mlc_min_number_v(mlc_max_number_v(x, SPLAT(low)), SPLAT(high))) + shift) & (x == x);
    }
    /// The same of what is no NaN, and without the conversion.
    FN VI mlc_rounded_number_v(V x, float low, float high, int shift) {
      return mlc_nearest(mlc_min_number_v(mlc_max_number_v(x, SPLAT(low)), SPLAT(high))) + shift;
    }
    FN V mlc_steps_v(V x, float low, float high) {
      return mlc_round_v(mlc_min_number_v(mlc_max_number_v(x, SPLAT(low)), SPLAT(high)));
    }
    FN VI mlc_truncated_v(V x, float low, float high, int shift) {
      V r = mlc_min_number_v(mlc_max_number_v(x, SPLAT(low)), SPLAT(high));
      return (__builtin_convertvector((V)((VI)r & (x == x)), VI) + shift) & (x == x);
    }

    /// `sum` and in each lane the products of four bytes of `a`, unsigned, with those of `b`, signed. Exact but for the
    /// last sum, which wraps.
    FN VI mlc_dot4(VI sum, VI a, VI b) {
    #if VL == 16 && defined(__AVX512VNNI__) && defined(__clang__)
      return __builtin_ia32_vpdpbusd512(sum, a, b);
    #elif VL == 16 && defined(__AVX512VNNI__)
      return __builtin_ia32_vpdpbusd_v16si(sum, a, b);
    #elif VL == 16 && defined(__AVX512BW__) && defined(__clang__)
      return sum + __builtin_ia32_pmaddwd512((VS)(a & 0xff00ff), (VS)b << 8 >> 8)
        + __builtin_ia32_pmaddwd512((VS)(a >> 8 & 0xff00ff), (VS)b >> 8);
    #elif VL == 8 && defined(__AVX2__)
      return sum + __builtin_ia32_pmaddwd256((VS)(a & 0xff00ff), (VS)b << 8 >> 8)
        + __builtin_ia32_pmaddwd256((VS)(a >> 8 & 0xff00ff), (VS)b >> 8);
    #elif VL == 4 && defined(__SSE2__)
      return sum + __builtin_ia32_pmaddwd128((VS)(a & 0xff00ff), (VS)b << 8 >> 8)
        + __builtin_ia32_pmaddwd128((VS)(a >> 8 & 0xff00ff), (VS)b >> 8);
    #else
      return sum + (a & 255) * (b << 24 >> 24) + (a >> 8 & 255) * (b << 16 >> 24) + (a >> 16 & 255) * (b << 8 >> 24)
        + (a >> 24 & 255) * (b >> 24);
    #endif
    }

    typedef uint8_t VB4 __attribute__((vector_size(VL * 4)));
    #define MLC_TURN(i) i, i + 4, i + 8, i + 12, i + 1, i + 5, i + 9, i + 13, i + 2, i + 6, i + 10, i + 14, i + 3, \
      i + 7, i + 11, i + 15
    /// Of four times VL bytes from `p` on, the k-th of each VL as byte k of its lane.
    FN VI mlc_columns(const uint8_t *p) {
      VI v = LDI((const int32_t *)(const void *)p);
    #if VL == 16
      v = __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
      return (VI)__builtin_shufflevector((VB4)v, (VB4)v, MLC_TURN(0), MLC_TURN(16), MLC_TURN(32), MLC_TURN(48));
    #elif VL == 8
      v = __builtin_shufflevector(v, v, 0, 2, 4, 6, 1, 3, 5, 7);
      return (VI)__builtin_shufflevector((VB4)v, (VB4)v, MLC_TURN(0), MLC_TURN(16));
    #else
      return (VI)__builtin_shufflevector((VB4)v, (VB4)v, MLC_TURN(0));
    #endif
    }
    """#
}
