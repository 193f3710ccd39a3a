import MLCCore

/// A new file that is digested as it is written.
struct FileOutput: ~Copyable {
  private var file: OpenFile
  private var hash = SHA256()
  private(set) var size = 0

  /// Throws `file.write` when the file is there already or cannot be made.
  init(_ path: String) throws(Diagnostic) { file = try OpenFile(creating: path) }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    hash.update(bytes)
    size += bytes.count
    try file.write(bytes)
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

  /// Throws `file.write` when the system kept back until now that it could not write.
  mutating func close() throws(Diagnostic) { try file.close() }

  var digest: String { hash.hexDigest }
}
