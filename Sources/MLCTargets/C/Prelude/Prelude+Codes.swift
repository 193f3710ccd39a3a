extension Prelude {
  /// Look-ups of packed codes: 16 values in registers, by the low four bits of each lane; any number in memory.
  static let codes = #"""
    typedef uint32_t VW __attribute__((vector_size(VL * 4)));
    typedef uint32_t VWU __attribute__((vector_size(VL * 4), aligned(4), may_alias));
    typedef struct { V part[16 / VL]; } mlc_table;
    FN mlc_table mlc_ld_table(const char *p) {
      mlc_table t;
      for (int i = 0; i < 16 / VL; i++) t.part[i] = *(const VU *)(const void *)(p + i * VL * 4);
      return t;
    }
    /// The lanes of `mask` take the values from `p` on one after the other, the others are 0.
    #if VL == 16 && defined(__AVX512F__) && defined(__clang__)
    FN V mlc_spread(const float *p, uint16_t mask) {
      return __builtin_ia32_expandloadsf512_mask((const V *)(const void *)p, (V){}, mask);
    }
    #else
    FN V mlc_spread(const float *p, uint16_t mask) {
      V r;
      for (int l = 0; l < VL; l++) {
        const int bit = mask >> l & 1;
        r[l] = bit ? *p : 0;
        p += bit;
      }
      return r;
    }
    #endif
    #if VL == 16 && defined(__AVX512F__) && defined(__clang__)
    FN V mlc_look_up(mlc_table t, VW i) { return __builtin_ia32_permvarsf512(t.part[0], (VI)i); }
    FN V mlc_gather(const float *p, VW i) {
      return __builtin_ia32_gathersiv16sf((V){}, p, (VI)i, (unsigned short)-1, 4);
    }
    #elif VL == 8 && defined(__AVX2__) && defined(__clang__)
    FN V mlc_look_up(mlc_table t, VW i) {
      V low = __builtin_ia32_permvarsf256(t.part[0], (VI)i), high = __builtin_ia32_permvarsf256(t.part[1], (VI)i);
      return __builtin_ia32_blendvps256(low, high, (V)(i << 28));
    }
    FN V mlc_gather(const float *p, VW i) {
      return __builtin_ia32_gatherd_ps256((V){}, p, (VI)i, (V)((VI){} - 1), 4);
    }
    #else
    FN V mlc_gather(const float *p, VW i) { V r; for (int l = 0; l < VL; l++) r[l] = p[i[l]]; return r; }
    FN V mlc_look_up(mlc_table t, VW i) {
      float all[16];
      for (int k = 0; k < 16 / VL; k++) ST(all + k * VL, t.part[k]);
      return mlc_gather(all, i & 15);
    }
    #endif
    """#
}
