extension Prelude {
  /// Pairs of bfloat16: their products, added to floats.
  static let pairs = #"""
    /// `sum` and in each lane the products of the upper bfloat16 of `a` and `b`, then of the lower ones, each added to
    /// the float32 before. A product is exact but where it leaves float32; numbers that are subnormal may count as
    /// zero.
    FN V mlc_dot2(V sum, VI a, VI b) {
    #if VL == 16 && defined(__AVX512BF16__) && defined(__clang__) && __clang_major__ >= 16
      typedef __bf16 VBF __attribute__((vector_size(64)));
      return __builtin_ia32_dpbf16ps_512(sum, (VBF)a, (VBF)b);
    #elif VL == 16 && defined(__AVX512BF16__)
      __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
      return sum;
    #else
      sum += (V)(a & -65536) * (V)(b & -65536);
      return sum + (V)(a << 16) * (V)(b << 16);
    #endif
    }
    """#
}
