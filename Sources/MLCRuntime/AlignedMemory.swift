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
  /// At least 64-byte aligned, never null. Large blocks start at a huge page and ask for huge pages. Throws
  /// `runtime.memory` when there is not enough.
  package static func allocate(_ byteCount: Int) throws(Diagnostic) -> UnsafeMutableRawPointer {
    let hugePage = 1 << 21
    let isLarge = byteCount >= 2 * hugePage
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, isLarge ? hugePage : 64, max(byteCount, 64)) == 0, let memory else {
      throw Diagnostic("runtime.memory", "there is no memory for \(byteCount) bytes", kind: .environment)
    }
    #if os(Linux)
      if isLarge { madvise(memory, byteCount, MADV_HUGEPAGE) }
    #endif
    return memory
  }

  package static func free(_ memory: UnsafeMutableRawPointer) {
    #if canImport(Glibc)
      Glibc.free(memory)
    #elseif canImport(Musl)
      Musl.free(memory)
    #else
      Darwin.free(memory)
    #endif
  }
}
