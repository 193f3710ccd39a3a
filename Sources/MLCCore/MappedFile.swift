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
  package convenience init(path: String) throws(Diagnostic) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Diagnostic("file.open", "cannot open '\(path)': \(String(cString: strerror(errno)))", at: .init(file: path))
    }
    defer { close(descriptor) }
    try self.init(descriptor: descriptor, path: path)
  }

  /// The file that `descriptor`, which stays the caller's, has open; `path` names it in diagnostics. Throws `file.not-a-file`
  /// or `file.map`.
  package init(descriptor: Int32, path: String) throws(Diagnostic) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Diagnostic("file.not-a-file", "'\(path)' is not a regular file", at: .init(file: path))
    }
    let size = Int(status.st_size)
    self.path = path
    if size == 0 {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
      throw Diagnostic("file.map", "cannot map '\(path)': \(String(cString: strerror(errno)))", at: .init(file: path))
    }
    bytes = UnsafeRawBufferPointer(start: base, count: size)
  }

  deinit {
    if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }

  /// The whole file as tensor storage.
  package var storage: Storage { Storage(viewing: bytes, of: self) }
}
