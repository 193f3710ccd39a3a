import MLCCore

/// What compiled code asks its host to do with texts, which it knows by number.
///
/// A call has buffers, and extents that say how many elements they hold: texts are `uint32` numbers, flags `bool`.
package enum TextOperation: Hashable, Sendable {
  /// x `[n]`, y `[n]` → their texts one behind the other `[n]`. Extents: n.
  case concat
  /// x `[n]` → how many pieces each text has, int64 `[n]`, and the most of them, int64 `[1]`. Extents: n.
  case countPieces(TextSplit)
  /// x `[n]` → the pieces of each text, and empty texts behind them, `[n, width]`. Extents: n, width.
  case split(TextSplit)
  /// x `[n]` → what a `TextNormalizer` makes of them, in the first of `[max(n, 1)]`, and how many, int64 `[1]`.
  /// Extents: n.
  case normalize(TextNormalizer)
  /// x `[n]` → whether the pattern matches the whole of each text, bool `[n]`. Extents: n.
  case match(TextPattern)
  /// x `[n]` → the place of each text in a `TextOrder` of them, int64 `[n]`. Extents: n.
  case rank
  /// x `[n]` → the numbers of this type that they spell, in the `wide` type `[n]`. Extents: n.
  case parse(DType)
  /// x `[n]` in the `wide` type → how numbers of this type are spelled, `[n]`. Extents: n.
  case format(DType)

  /// The type in which numbers of `dtype` are handed over: float64, int64 or uint64, truth values too.
  package static func wide(_ dtype: DType) -> DType {
    dtype.isFloat ? .float64 : dtype.isInteger && dtype.isSigned ? .int64 : .uint64
  }
}
