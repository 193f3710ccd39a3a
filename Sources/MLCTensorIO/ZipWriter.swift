import CZip
import MLCCore

package enum ZipWriter {
  /// Stores `entries` uncompressed, dated 1 January 1980. The file appears whole or not at all.
  ///
  /// Throws `file.write` and `file.rename`.
  package static func write(_ entries: [(name: String, storage: Storage)], to path: String) throws(Diagnostic) {
    try AtomicFile.check(path)
    let temporary = try Temporary(beside: path)
    var code: Int32 = 0
    guard let archive = zip_open("\(temporary.path)/new", ZIP_CREATE | ZIP_TRUNCATE, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw failure(path, String(cString: zip_error_strerror(&error)))
    }
    // libzip removes a file that it would leave without entries, so an empty archive is spelled out.
    if entries.isEmpty {
      zip_discard(archive)
      let end: [UInt8] = [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)
      return try AtomicFile.write(end[...], to: path)
    }
    for (name, storage) in entries where !add(name, storage.bytes, to: archive) {
      let reason = String(cString: zip_strerror(archive))
      zip_discard(archive)
      throw failure(path, reason)
    }
    if zip_close(archive) != 0 {
      let reason = String(cString: zip_strerror(archive))
      zip_discard(archive)
      throw failure(path, reason)
    }
    withExtendedLifetime(entries) {}
    try temporary.publish("new", as: path)
  }

  private static func add(_ name: String, _ bytes: UnsafeRawBufferPointer, to archive: OpaquePointer) -> Bool {
    guard let source = zip_source_buffer(archive, bytes.baseAddress, UInt64(bytes.count), 0) else { return false }
    // libzip takes no names with control characters as UTF-8, though they are.
    let encoding = name.utf8.contains { $0 < 0x20 } ? ZIP_FL_ENC_GUESS : ZIP_FL_ENC_UTF_8
    let index = zip_file_add(archive, name, source, UInt32(encoding))
    guard index >= 0 else {
      zip_source_free(source)
      return false
    }
    return zip_set_file_compression(archive, UInt64(index), ZIP_CM_STORE, 0) == 0
      && zip_file_set_dostime(archive, UInt64(index), 0, 0x21, 0) == 0
  }

  private static func failure(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("file.write", "cannot write '\(path)': \(reason)", kind: .environment, at: Location(file: path))
  }
}
