import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Uninitialised memory that asks before it takes.
package enum AlignedMemory {
  private static let hugePage = 1 << 21
  /// From so many bytes on a block is a mapping of its own.
  private static let leastMapping = 1 << 26
  /// A block that is larger is for tensors whose extents nothing bounds: little of it is used, and a huge page wasted.
  private static let mostInHugePages = 1 << 28

  /// Up to so many bytes are there at once, before anybody touches them.
  private static let mostPopulated = 1 << 25
  /// Of less the allocator has had it already.
  private static let leastPopulated = 1 << 16

  /// At least 64-byte aligned, never null. Large blocks start at a huge page and ask for huge pages; very large ones
  /// are addresses alone, for which the system takes memory where it is touched. Throws `runtime.memory` when there is
  /// not enough.
  package static func allocate(_ byteCount: Int) throws(Diagnostic) -> UnsafeMutableRawPointer {
    #if os(Linux)
      if byteCount >= leastMapping { return try map(byteCount) }
    #endif
    let isLarge = byteCount >= hugePage / 2
    let length = isLarge ? (byteCount + hugePage - 1) / hugePage * hugePage : max(byteCount, 64)
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, isLarge ? hugePage : 64, length) == 0, let memory else {
      throw Diagnostic("runtime.memory", "there is no memory for \(byteCount) bytes", kind: .environment)
    }
    #if os(Linux)
      if isLarge { madvise(memory, length, MADV_HUGEPAGE) }
      if length <= mostPopulated { populate(memory, length) }
    #endif
    return memory
  }

  #if os(Linux)
    /// Has the system find memory for the pages that lie whole in a block.
    private static func populate(_ memory: UnsafeMutableRawPointer, _ length: Int) {
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      let before = (page - Int(bitPattern: memory) % page) % page
      let count = (length - before) / page * page
      // MADV_POPULATE_WRITE, since Linux 5.14.
      if count >= leastPopulated { madvise(memory + before, count, 23) }
    }
  #endif

  /// Gives back a block of `byteCount` bytes.
  package static func free(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    #if os(Linux)
      if byteCount >= leastMapping {
        munmap(memory, (byteCount + hugePage - 1) / hugePage * hugePage)
        return
      }
    #endif
    #if canImport(Glibc)
      Glibc.free(memory)
    #elseif canImport(Musl)
      Musl.free(memory)
    #else
      Darwin.free(memory)
    #endif
  }

  #if os(Linux)
    /// A mapping that begins at a huge page.
    private static func map(_ byteCount: Int) throws(Diagnostic) -> UnsafeMutableRawPointer {
      let missing = Diagnostic("runtime.memory", "there is no memory for \(byteCount) bytes", kind: .environment)
      guard byteCount <= Int.max - 2 * hugePage else { throw missing }
      let length = (byteCount + hugePage - 1) / hugePage * hugePage
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE)
      guard let start = mmap(nil, length + hugePage, PROT_READ | PROT_WRITE, flags, -1, 0),
        start != MAP_FAILED
      else { throw missing }
      let before = (hugePage - Int(bitPattern: start) % hugePage) % hugePage
      let memory = start + before
      if before > 0 { munmap(start, before) }
      munmap(memory + length, hugePage - before)
      madvise(memory, length, byteCount <= mostInHugePages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE)
      return memory
    }
  #endif
}
