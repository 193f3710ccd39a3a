import MLCCore

/// Memory for one output, 64-byte aligned, which kernels write whole before anyone reads it.
///
/// `@unchecked Sendable`: the run that allocates it is the only writer, and hands it on when it is done.
final class OutputMemory: @unchecked Sendable {  // one writer, which hands it on when done
  let base: UnsafeMutableRawPointer

  init(byteCount: Int) throws(Diagnostic) { base = try AlignedMemory.allocate(byteCount) }
  deinit { AlignedMemory.free(base) }

  /// The first `byteCount` bytes, which live as long as the storage does.
  func storage(_ byteCount: Int) -> Storage {
    Storage(viewing: UnsafeRawBufferPointer(start: base, count: byteCount), of: self)
  }
}
