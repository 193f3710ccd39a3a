import CZip
import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A zip archive in memory, read only.
package struct ZipReader: ~Copyable {
  /// One file of the archive, with the length that the archive claims for it.
  package struct Entry {
    package var index: UInt64, name: String, length: Int
  }

  private let archive: OpaquePointer
  private let storage: Storage
  /// The domain of the diagnostics' ids.
  private let format: String

  static let maximumEntries = 1 << 16
  /// Deflate cannot shrink data to less than 1/1032.
  private static let maximumRatio = 1032
  /// What all entries together may unpack to, for an archive of `count` bytes.
  static func maximumLength(_ count: Int) -> Int {
    min(maximumTensorBytes, count.multipliedSaturating(by: 100) + 1 << 28)
  }

  /// Throws `FORMAT.zip` when the central directory is unsound.
  package init(_ storage: Storage, format: String = "npz") throws(Diagnostic) {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    let bytes = storage.bytes
    // An archive without a byte is an empty one to libzip, and a file cut short to us.
    guard !bytes.isEmpty else { throw ZipReader.unsound(format, "the file is empty") }
    guard let source = zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, &error) else {
      throw ZipReader.unsound(format, String(cString: zip_error_strerror(&error)))
    }
    guard let archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) else {
      zip_source_free(source)
      // The directory stands at an archive's end.
      let isCut = zip_error_code_zip(&error) == ZIP_ER_NOZIP
      throw ZipReader.unsound(format, isCut ? "it is cut off" : String(cString: zip_error_strerror(&error)))
    }
    (self.archive, self.storage, self.format) = (archive, storage, format)
  }

  deinit { zip_discard(archive) }

  /// Every file. Throws `FORMAT.zip`, and `FORMAT.size` when their claimed lengths exceed the limits.
  package func entries() throws(Diagnostic) -> [Entry] {
    let count = zip_get_num_entries(archive, 0)
    guard count >= 0, count <= ZipReader.maximumEntries else {
      throw ZipReader.unsound(format, "\(count) entries")
    }
    var entries: [Entry] = []
    var total = 0
    for index in 0..<UInt64(count) {
      let entry = try describe(index)
      total += entry.length
      guard total <= ZipReader.maximumLength(storage.bytes.count) else {
        throw Diagnostic(.init("\(format).size"), "the archive would unpack to more than 100 times its size")
      }
      entries.append(entry)
    }
    return entries
  }

  private func describe(_ index: UInt64) throws(Diagnostic) -> Entry {
    var status = zip_stat_t()
    let needed = UInt64(ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE)
    guard zip_stat_index(archive, index, 0, &status) == 0, status.valid & needed == needed, let name = status.name
    else {
      throw ZipReader.unsound(format, "entry \(index) has no name or length")
    }
    // libzip takes names with control characters for those of another code page.
    let raw = zip_get_name(archive, index, UInt32(ZIP_FL_ENC_RAW)).flatMap { String(validatingCString: $0) }
    let text = raw ?? String(cString: name)
    let packed = Int(clamping: status.comp_size)
    let length = Int(clamping: status.size)
    guard packed <= storage.bytes.count, length <= packed.multipliedSaturating(by: ZipReader.maximumRatio) else {
      throw Diagnostic(.init("\(format).size"), "'\(text)' claims \(length) bytes from \(packed) compressed ones")
    }
    return Entry(index: index, name: text, length: length)
  }

  /// The bytes of an entry, its checksum verified. Throws `FORMAT.zip` when they are not as many as claimed.
  package func unpack(_ entry: Entry) throws(Diagnostic) -> Storage {
    guard let file = zip_fopen_index(archive, entry.index, 0) else {
      throw ZipReader.unsound(format, String(cString: zip_strerror(archive)))
    }
    defer { zip_fclose(file) }
    var complete = false
    let storage = Storage(byteCount: entry.length) { out in
      var filled = 0
      while filled < out.count {
        let read = zip_fread(file, out.baseAddress! + filled, UInt64(out.count - filled))
        if read <= 0 { return }
        filled += Int(read)
      }
      // The checksum is compared where reading meets the end.
      var beyond: UInt8 = 0
      complete = zip_fread(file, &beyond, 1) == 0
    }
    guard complete else { throw ZipReader.unsound(format, "'\(entry.name)' is damaged") }
    return storage
  }

  /// Writes the bytes of an entry to a file, a piece at a time, its checksum verified. Throws `FORMAT.zip` when they
  /// are not as many as claimed, `file.write`.
  package func unpack(_ entry: Entry, to output: borrowing OpenFile) throws(Diagnostic) {
    guard let file = zip_fopen_index(archive, entry.index, 0) else {
      throw ZipReader.unsound(format, String(cString: zip_strerror(archive)))
    }
    defer { zip_fclose(file) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    var total = 0
    while true {
      let count = Int(zip_fread(file, piece.baseAddress, UInt64(piece.count)))
      guard count >= 0, total + count <= entry.length else { break }
      if count == 0 {
        if total == entry.length { return }
        break
      }
      try output.write(UnsafeRawBufferPointer(rebasing: piece.prefix(count)))
      total += count
    }
    throw ZipReader.unsound(format, "'\(entry.name)' is damaged")
  }

  private static func unsound(_ format: String, _ reason: String) -> Diagnostic {
    Diagnostic(.init("\(format).zip"), "not a sound zip archive: \(reason)")
  }
}

extension Int {
  fileprivate func multipliedSaturating(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? Int.max / 2 : Swift.min(product, Int.max / 2)
  }
}
