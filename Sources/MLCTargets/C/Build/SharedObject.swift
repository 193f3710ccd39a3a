import MLCCore

/// What a linker leaves.
enum SharedObject {
  /// Whether the file at `path` begins as a shared object in ELF of 64 bits does.
  ///
  /// Source: System V ABI, ELF header: magic number, class at 4, byte order at 5, type at 16.
  static func isThere(_ path: String) -> Bool {
    guard let file = try? MappedFile(path: path) else { return false }
    return withExtendedLifetime(file) {
      let head = file.bytes.prefix(64)
      return head.count == 64 && head.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) && head[16] == 3 && head[17] == 0
    }
  }
}
