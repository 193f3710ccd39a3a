/// A tile of AMX holds 16 rows of 16 words of 32 bits: of sums, of pairs of bfloat16, or of four bytes.
enum TileShape {
  static let rows = 16
  static let words = 16
  /// Cycles of one product of two tiles, and of reading one from the first-level cache.
  static let productCycles = 16.0, loadCycles = 8.0
}
