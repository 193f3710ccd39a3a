import MLCCore

/// Memory for one output, 64-byte aligned, which kernels write whole before anyone reads it.
///
/// `@unchecked Sendable`: the run that takes it is the only writer, and hands it on when it is done.
final class OutputMemory: @unchecked Sendable {  // one writer, which hands it on when done
  let base: UnsafeMutableRawPointer
  private let byteCount: Int
  private let place: OutputPlace

  init(byteCount: Int, at place: OutputPlace) throws(Diagnostic) {
    base = try place.take(byteCount)
    (self.byteCount, self.place) = (byteCount, place)
  }
  deinit { place.giveBack(base, byteCount) }

  /// The first `byteCount` bytes, which live as long as this does.
  func bytes(_ byteCount: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: byteCount) }

  /// Those bytes, where nobody uses them in another way any more.
  func storage(_ byteCount: Int) -> Storage {
    Storage(taking: UnsafeMutableRawBufferPointer(start: base, count: byteCount), of: self)
  }
}

/// Where one output of a context gets its memory. A block that the application has let go of serves the next run: the
/// operating system would otherwise clear fresh pages for every run, which takes longer than many a kernel.
final class OutputPlace: Sendable {
  /// The address of a block that nobody uses, 0 for none, and its size.
  private let kept = Guarded<(address: UInt, byteCount: Int)>((0, 0))

  deinit {
    let block = kept.withLock { $0 }
    if let memory = UnsafeMutableRawPointer(bitPattern: block.address) { AlignedMemory.free(memory, block.byteCount) }
  }

  func take(_ byteCount: Int) throws(Diagnostic) -> UnsafeMutableRawPointer {
    let block = kept.withLock { kept in
      let block = kept
      kept = (0, 0)
      return block
    }
    if let memory = UnsafeMutableRawPointer(bitPattern: block.address) {
      if block.byteCount == byteCount { return memory }
      AlignedMemory.free(memory, block.byteCount)
    }
    return try AlignedMemory.allocate(byteCount)
  }

  /// Keeps the block for the next run; one at most.
  func giveBack(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    let isKept = kept.withLock { kept in
      if kept.address != 0 { return false }
      kept = (UInt(bitPattern: memory), byteCount)
      return true
    }
    if !isKept { AlignedMemory.free(memory, byteCount) }
  }
}
