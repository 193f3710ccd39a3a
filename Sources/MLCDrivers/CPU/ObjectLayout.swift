import MLCCore
import MLCPackage

/// The segments of a 64-bit, little-endian ELF file. The system's loader maps them as the file says, past its end too,
/// and dies there.
enum ObjectLayout {
  private static let (headerBytes, segmentBytes, magic) = (64, 56, [0x7f, 0x45, 0x4c, 0x46, 2, 1] as [UInt8])

  /// Throws `runtime.load` for a file whose segments are not inside of it. What is no such file is left to the loader.
  static func check(_ file: PackageFile) throws(Diagnostic) {
    let bytes = file.mapped.bytes
    defer { withExtendedLifetime(file) {} }
    guard bytes.count >= headerBytes, bytes.starts(with: magic) else { return }
    let (table, size) = (word(bytes, 32), UInt64(bytes.count))
    let (entry, count) = (Int(half(bytes, 54)), Int(half(bytes, 56)))
    guard entry == segmentBytes, table <= size, UInt64(count * segmentBytes) <= size - table else { throw cut(file) }
    for index in 0..<count {
      let segment = Int(table) + index * segmentBytes
      let (offset, length) = (word(bytes, segment + 8), word(bytes, segment + 32))
      guard offset <= size, length <= size - offset else { throw cut(file) }
    }
  }

  private static func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt16 {
    UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func cut(_ file: PackageFile) -> Diagnostic {
    Diagnostic("runtime.load", "cannot load the kernels: '\(file.name)' is no whole shared object")
  }
}
