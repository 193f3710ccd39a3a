import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that appear whole or not at all.
package enum AtomicFile {
  /// Writes `parts` one after another to a temporary file beside `path`, then renames it to `path`.
  ///
  /// Throws `file.write` (an environment problem); then `path` is as it was and the temporary file is gone.
  package static func write(_ parts: [UnsafeRawBufferPointer], to path: String) throws(Diagnostic) {
    let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(path) }
    do throws(Diagnostic) {
      do throws(Diagnostic) {
        for part in parts { try write(part, to: descriptor, path) }
      } catch {
        close(descriptor)
        throw error
      }
      guard close(descriptor) == 0, rename(temporary, path) == 0 else { throw failure(path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The same for an array of bytes.
  package static func write(_ bytes: ArraySlice<UInt8>, to path: String) throws(Diagnostic) {
    let result = bytes.withUnsafeBytes { part in
      Result { () throws(Diagnostic) in try write([part], to: path) }
    }
    try result.get()
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer,
    to descriptor: Int32,
    _ path: String
  ) throws(Diagnostic) {
    var offset = 0
    while offset < bytes.count {
      let written = send(bytes, from: offset, to: descriptor)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw failure(path) }
      offset += written
    }
  }

  private static func send(_ bytes: UnsafeRawBufferPointer, from offset: Int, to descriptor: Int32) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
    #else
      Glibc.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
    #endif
  }

  private static func failure(_ path: String) -> Diagnostic {
    let reason = String(cString: strerror(errno))
    return Diagnostic("file.write", "cannot write '\(path)': \(reason)", kind: .environment, at: Location(file: path))
  }
}
