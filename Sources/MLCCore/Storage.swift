/// Bytes behind tensors: owned, or a view into something that stays alive as long as this does (a mapped file).
///
/// `@unchecked Sendable`: the bytes are written by `init(byteCount:_:)`, before the object can be shared, and by who
/// alone holds it.
package final class Storage: @unchecked Sendable {  // written only where one alone holds it
  package let bytes: UnsafeRawBufferPointer
  /// Where who holds the storage alone may write; `nil` where others see the bytes too.
  let memory: UnsafeMutableRawPointer?
  private let owner: (any Sendable)?

  /// Allocates zeroed memory, 64-byte aligned, and lets `fill` write it.
  package init(byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(byteCount, 1), alignment: 64)
    let memory = UnsafeMutableRawBufferPointer(rebasing: buffer[..<byteCount])
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    bytes = UnsafeRawBufferPointer(memory)
    owner = nil
    base = buffer.baseAddress
    self.memory = base
    try fill(memory)
  }

  /// A view of `bytes`, which `owner` keeps valid and unchanged.
  package init(viewing bytes: UnsafeRawBufferPointer, of owner: any Sendable) {
    (self.bytes, self.owner, base, memory) = (bytes, owner, nil, nil)
  }

  /// `bytes`, which `owner` keeps valid, and which nobody uses any more but through the storage.
  package init(taking bytes: UnsafeMutableRawBufferPointer, of owner: any Sendable) {
    (self.bytes, self.owner, base, memory) = (UnsafeRawBufferPointer(bytes), owner, nil, bytes.baseAddress)
  }

  private let base: UnsafeMutableRawPointer?
  deinit { base?.deallocate() }
}
