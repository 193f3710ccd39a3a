extension Prelude {
  /// Tiles of AMX (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18): eight registers
  /// of 16 rows of 64 bytes. In assembly language, since C compilers differ in the names of these instructions.
  ///
  /// 0 to 3 are sums, `[row][column]` float32 or int32; 4 and 5 rows of the left operand, 32 bfloat16 or 64 bytes each;
  /// 6 and 7 steps of the right one in words, `[pair][column][2]` or `[word][column][4]`.
  static let tiles = #"""
    /// Makes all tiles as large as they can be. Until `mlc_tiles_end` the thread has more registers to save.
    FN void mlc_tiles_begin(void) {
      const struct {
        uint8_t palette, start, reserved[14];
        uint16_t bytes[16];
        uint8_t rows[16];
      } shapes = {1, 0, {}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};
      __asm__ volatile("ldtilecfg %0" : : "m"(shapes));
    }

    FN void mlc_tiles_end(void) { __asm__ volatile("tilerelease"); }

    #define MLC_TILE_ZERO(t) __asm__ volatile("tilezero %%tmm" #t :::)
    /// Rows are `step` bytes apart.
    #define MLC_TILE_LOAD(t, from, step) \
      __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #t : : "r"(from), "r"((int64_t)(step)) : "memory")
    #define MLC_TILE_STORE(t, to, step) \
      __asm__ volatile("tilestored %%tmm" #t ", (%0,%1,1)" : : "r"(to), "r"((int64_t)(step)) : "memory")
    /// Adds to `sums` the products of pairs of bfloat16, as `mlc_dot2`.
    #define MLC_TILE_DOT2(sums, left, right) \
      __asm__ volatile("tdpbf16ps %%tmm" #right ", %%tmm" #left ", %%tmm" #sums :::)
    /// Adds to `sums` the products of four bytes, unsigned by signed, as `mlc_dot4`.
    #define MLC_TILE_DOT4(sums, left, right) \
      __asm__ volatile("tdpbusd %%tmm" #right ", %%tmm" #left ", %%tmm" #sums :::)
    """#
}
