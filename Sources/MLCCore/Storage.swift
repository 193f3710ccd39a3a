/// Bytes behind tensors: owned, or a view into something that stays alive as long as this does (a mapped file).
///
/// `@unchecked Sendable`: the bytes are written only while `init(byteCount:_:)` runs, before the object can be shared.
package final class Storage: @unchecked Sendable {  // written only by init, before it is shared
  package let bytes: UnsafeRawBufferPointer
  private let owner: (any Sendable)?

  /// Allocates zeroed memory, 64-byte aligned, and lets `fill` write it.
  package init(byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(byteCount, 1), alignment: 64)
    let memory = UnsafeMutableRawBufferPointer(rebasing: buffer[..<byteCount])
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    bytes = UnsafeRawBufferPointer(memory)
    owner = nil
    base = buffer.baseAddress
    try fill(memory)
  }

  /// A view of `bytes`, which `owner` keeps valid and unchanged.
  package init(viewing bytes: UnsafeRawBufferPointer, of owner: any Sendable) {
    (self.bytes, self.owner, base) = (bytes, owner, nil)
  }

  private let base: UnsafeMutableRawPointer?
  deinit { base?.deallocate() }
}
