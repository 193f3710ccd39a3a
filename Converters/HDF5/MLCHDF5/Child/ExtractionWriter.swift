import Glibc
import MLCCore

/// Writes an extraction: what the child process found in an HDF5 file, for the parent to map.
///
/// ```
/// 0   "mlchdf5\n"
/// 8   version, UInt64 little-endian: 1
/// 16  offset of the directory
/// 24  length of the directory
/// 64  elements of datasets, each 64-byte aligned
/// …   the directory, JSON
/// ```
package struct ExtractionWriter: ~Copyable {
  static let magic = Array("mlchdf5\n".utf8)
  static let version: UInt64 = 1
  static let headerLength = 64

  private let descriptor: Int32
  private var end = ExtractionWriter.headerLength
  /// No more than this is written.
  private let limit: Int

  package init(descriptor: Int32, limit: Int) { (self.descriptor, self.limit) = (descriptor, limit) }

  /// Room for `count` bytes that `fill` writes, zeros before; gives their offset. Throws `hdf5.limit` and what `fill`
  /// throws.
  mutating func append(
    _ count: Int,
    _ fill: (UnsafeMutableRawPointer) throws(Diagnostic) -> Void
  ) throws(Diagnostic) -> Int {
    let offset = (end + 63) & ~63
    guard count > 0 else { return offset }
    guard count <= limit - offset else { throw Diagnostic.limit("the elements of all datasets exceed \(limit) bytes") }
    guard posix_fallocate(descriptor, off_t(offset), off_t(count)) == 0 else {
      throw Diagnostic.limit("there is no room for \(count) bytes of a dataset in the folder of temporary files")
    }
    let page = offset & ~4095
    let length = offset + count - page
    guard let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(page)), base != MAP_FAILED
    else { throw Diagnostic.limit("there is no memory for \(count) bytes of a dataset") }
    defer { munmap(base, length) }
    try fill(base + (offset - page))
    end = offset + count
    return offset
  }

  /// Writes the directory, then the header, which makes the extraction whole.
  consuming func finish(_ directory: JSON) throws(Diagnostic) {
    let text = Array(directory.text.utf8)
    let offset = try append(text.count) { memory in
      text.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }
    var header = ExtractionWriter.magic
    for number in [ExtractionWriter.version, UInt64(offset), UInt64(text.count)] {
      header += withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    header += [UInt8](repeating: 0, count: ExtractionWriter.headerLength - header.count)
    guard pwrite(descriptor, header, header.count, 0) == header.count else {
      throw Diagnostic.limit("the result could not be written")
    }
  }
}
