import MLCCore

/// One kernel as C.
package struct EmittedKernel: Sendable {
  /// `mlc_f32_conv_relu__x86_64_v4_14x32`: everything a reader of a profile wants to know, and the symbol of the kernel
  /// were it the only one of that name.
  package var name: String
  /// Definitions: one function `void SYMBOL(const mlc_frame *, void *const *, char *, int64_t, int64_t)` with external
  /// linkage, and the static helpers it needs, whose names begin with the symbol.
  package var source: @Sendable (_ symbol: String) -> String
  /// How many tasks it divides into: a C expression over `s[i]`, the sizes.
  package var tasks: String
  /// Parameters whose constant is replaced by a packed form, by position.
  package var packed: [Int: Tensor]
  /// Bytes of scratch each worker needs.
  package var scratchBytes: Int

  init(
    _ name: KernelName,
    source: @escaping @Sendable (_ symbol: String) -> String,
    tasks: String,
    packed: [Int: Tensor] = [:],
    scratchBytes: Int = 0
  ) {
    (self.name, self.source, self.tasks) = (name.value, source, tasks)
    (self.packed, self.scratchBytes) = (packed, scratchBytes)
  }
}
