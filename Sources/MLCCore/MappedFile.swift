#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A read-only, private mapping of a whole file. Pages come in as they are touched.
///
/// `@unchecked Sendable`: the mapping is never written and lives until `deinit`.
package final class MappedFile: @unchecked Sendable {  // never written
  package let path: String
  package let bytes: UnsafeRawBufferPointer

  /// Throws `file.open`, `file.not-a-file` or `file.map`.
  package convenience init(path: String) throws(Diagnostic) { try self.init(try OpenFile(reading: path)) }

  /// The file as long as it is now. Throws `file.map`.
  package convenience init(_ file: borrowing OpenFile) throws(Diagnostic) {
    try self.init(descriptor: file.descriptor, path: file.path)
  }

  /// The regular file that `descriptor`, which stays the caller's, has open; `path` names it in diagnostics. Throws
  /// `file.map`.
  package init(descriptor: Int32, path: String) throws(Diagnostic) {
    self.path = path
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw MappedFile.unmapped(path) }
    let size = Int(status.st_size)
    if size == 0 {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
      throw MappedFile.unmapped(path)
    }
    bytes = UnsafeRawBufferPointer(start: base, count: size)
  }

  private static func unmapped(_ path: String) -> Diagnostic {
    let (kind, reason) = (OpenFile.kind(errno), String(cString: strerror(errno)))
    return Diagnostic("file.map", "cannot map '\(path)': \(reason)", kind: kind, at: Location(file: path))
  }

  deinit {
    if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }

  /// The whole file as tensor storage.
  package var storage: Storage { Storage(viewing: bytes, of: self) }
}
