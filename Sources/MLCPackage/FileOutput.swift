import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's `write`, which a method of that name would hide.
private func put(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// A new file that is digested as it is written.
struct FileOutput: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private var hash = SHA256()
  private(set) var size = 0

  /// Throws `file.write` when the file is there already or cannot be made.
  init(_ path: String) throws(Diagnostic) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileSystem.failure("file.write", "make", path) }
    self.path = path
  }

  deinit { close(descriptor) }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    hash.update(bytes)
    size += bytes.count
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = UnsafeRawBufferPointer(rebasing: rest)
      let count = put(descriptor, chunk)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileSystem.failure("file.write", "write", path) }
      rest = rest.dropFirst(count)
    }
  }

  mutating func write(_ storage: Storage) throws(Diagnostic) {
    defer { withExtendedLifetime(storage) {} }
    try write(storage.bytes)
  }

  mutating func write(_ bytes: [UInt8]) throws(Diagnostic) {
    try write(Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) })
  }

  mutating func writeZeros(_ count: Int) throws(Diagnostic) {
    let zeros = Storage(byteCount: min(count, 1 << 16)) { _ in }
    defer { withExtendedLifetime(zeros) {} }
    var left = count
    while left > 0 {
      try write(UnsafeRawBufferPointer(rebasing: zeros.bytes.prefix(left)))
      left -= min(left, zeros.bytes.count)
    }
  }

  var digest: String { hash.hexDigest }
}
