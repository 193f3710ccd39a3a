#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that appear whole or not at all.
package enum AtomicFile {
  /// Writes `parts` one after another to a temporary file beside `path`, then moves it to `path`.
  ///
  /// Throws `file.write` and `file.rename`, environment problems; then `path` is as it was.
  package static func write(_ parts: [UnsafeRawBufferPointer], to path: String) throws(Diagnostic) {
    try refuseOthers(path)
    let temporary = try Temporary(beside: path)
    var file = try OpenFile(creating: "\(temporary.path)/new", as: path)
    for part in parts { try file.write(part) }
    try file.close()
    try temporary.publish("new", as: path)
  }

  /// The same for an array of bytes.
  package static func write(_ bytes: ArraySlice<UInt8>, to path: String) throws(Diagnostic) {
    let result = bytes.withUnsafeBytes { part in
      Result { () throws(Diagnostic) in try write([part], to: path) }
    }
    try result.get()
  }

  /// The same for text.
  package static func write(_ text: String, to path: String) throws(Diagnostic) {
    try write(Array(text.utf8)[...], to: path)
  }

  /// Refuses before the work what `write` would refuse after it. Throws `file.write`.
  package static func check(_ path: String) throws(Diagnostic) {
    try refuseOthers(path)
    _ = try Temporary(beside: path)
  }

  /// A device or a folder is nothing that a file may take the place of.
  private static func refuseOthers(_ path: String) throws(Diagnostic) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw Diagnostic(
      "file.write",
      "cannot write '\(path)': what is there is not a regular file",
      kind: .environment,
      at: Location(file: path)
    )
  }
}
