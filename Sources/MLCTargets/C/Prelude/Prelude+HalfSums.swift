extension Prelude {
  /// Sums of float16, twice as many lanes as `V` has.
  static let halfSums = #"""
    typedef uint16_t VHH __attribute__((vector_size(VL * 4)));
    typedef uint16_t VHHU __attribute__((vector_size(VL * 4), aligned(2), may_alias));
    typedef uint16_t mlc_four __attribute__((vector_size(8), aligned(2), may_alias));
    #if VL == 16
    #define MLC_LOW_HALF(a) __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    #define MLC_HIGH_HALF(a) \
      __builtin_shufflevector(a, a, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
    #define MLC_BOTH_HALVES(a, b) \
      __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
        23, 24, 25, 26, 27, 28, 29, 30, 31)
    #elif VL == 8
    #define MLC_LOW_HALF(a) __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7)
    #define MLC_HIGH_HALF(a) __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15)
    #define MLC_BOTH_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    #else
    #define MLC_LOW_HALF(a) __builtin_shufflevector(a, a, 0, 1, 2, 3)
    #define MLC_HIGH_HALF(a) __builtin_shufflevector(a, a, 4, 5, 6, 7)
    #define MLC_BOTH_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
    #endif
    FN VHH mlc_ld_hh(const uint16_t *p) { return *(const VHHU *)p; }
    /// `VL` lanes, and as many zeros.
    FN VHH mlc_ld_h0(const uint16_t *p) { return MLC_BOTH_HALVES(*(const VHU *)p, (VH){}); }
    FN VHH mlc_splat_hh(uint16_t h) { return (VHH){} + h; }
    FN V mlc_low_hh(VHH h) { return mlc_v_f16(MLC_LOW_HALF(h)); }
    FN V mlc_high_hh(VHH h) { return mlc_v_f16(MLC_HIGH_HALF(h)); }
    /// `sum` and the products of `a` and `b`, rounded to float16 once where the instruction set adds so, else once
    /// after rounding to float32.
    FN VHH mlc_fma_hh(VHH sum, VHH a, VHH b) {
    #if defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
      typedef _Float16 VF __attribute__((vector_size(VL * 4)));
      return (VHH)((VF)sum + (VF)a * (VF)b);
    #else
      V low = mlc_low_hh(sum) + mlc_low_hh(a) * mlc_low_hh(b);
      V high = mlc_high_hh(sum) + mlc_high_hh(a) * mlc_high_hh(b);
      return MLC_BOTH_HALVES(mlc_f16_v(low), mlc_f16_v(high));
    #endif
    }
    """#
}
