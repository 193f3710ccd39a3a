import MLCCore

/// One kernel as C.
package struct EmittedKernel: Sendable {
  /// `mlc_f32_conv_relu__x86_64_v4_14x32`: everything a reader of a profile wants to know.
  package var symbol: String
  /// Definitions: one function `static void SYMBOL(const mlc_frame *, void *const *, char *, int64_t, int64_t)` and the
  /// helpers it needs. `SYMBOL` is spelled `$symbol` so that equal code can be shared between kernels.
  package var source: String
  /// How many tasks it divides into: a C expression over `s[i]`, the sizes.
  package var tasks: String
  /// Parameters whose constant is replaced by a packed form, by position.
  package var packed: [Int: Tensor]
  /// Bytes of scratch each worker needs.
  package var scratchBytes: Int

  package init(symbol: String, source: String, tasks: String, packed: [Int: Tensor] = [:], scratchBytes: Int = 0) {
    (self.symbol, self.source, self.tasks) = (symbol, source, tasks)
    (self.packed, self.scratchBytes) = (packed, scratchBytes)
  }
}
