#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The memory of this process that is in the machine's own.
package enum ResidentMemory {
  /// `nil` where the system does not say in `/proc/self/statm`.
  package static var bytes: Int? {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      let fields = buffer.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
      guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
      return pages * Int(getpagesize())
    }
  }
}
