#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's functions, which methods of their names would hide.
private func put(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
private func end(_ descriptor: Int32) -> Int32 { close(descriptor) }

#if os(Linux)
  /// `O_TMPFILE`, which Swift does not see: `__O_TMPFILE | O_DIRECTORY`.
  private let temporaryFile: Int32 = 0o20000000 | O_DIRECTORY
#endif

/// A file that is open as long as this lives, closed to programs that the process starts. All reading begins here.
package struct OpenFile: ~Copyable {
  package private(set) var descriptor: Int32
  /// What messages call it.
  package let path: String

  /// Opens a regular file for reading, links followed. What is none is refused and not waited for: a pipe that nobody
  /// writes to, a device, a socket, a folder. Throws `file.open`, `file.not-a-file`.
  package init(reading path: String) throws(Diagnostic) {
    var status = stat()
    // Asked first, since opening a device may do something to it; and again, since another file may have taken its
    // place.
    guard stat(path, &status) == 0 else { throw OpenFile.unopened(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw OpenFile.irregular(path) }
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else { throw OpenFile.unopened(path, errno) }
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = end(opened)
      throw OpenFile.irregular(path)
    }
    _ = fcntl(opened, F_SETFL, fcntl(opened, F_GETFL) & ~O_NONBLOCK)
    (descriptor, self.path) = (opened, path)
  }

  /// A new file. Throws `file.write` when it is there already or cannot be made; `name` is what messages call it.
  package init(creating path: String, as name: String? = nil) throws(Diagnostic) {
    let opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard opened >= 0 else { throw OpenFile.unwritten(name ?? path, errno) }
    (descriptor, self.path) = (opened, name ?? path)
  }

  private init(_ descriptor: Int32, _ path: String) { (self.descriptor, self.path) = (descriptor, path) }

  /// A new file in the folder of temporary files that has no name and is gone with its descriptor. Throws `file.write`.
  package static func nameless() throws(Diagnostic) -> OpenFile {
    let folder = Temporary.systemFolder
    var opened: Int32 = -1
    #if os(Linux)
      opened = open(folder, temporaryFile | O_RDWR | O_CLOEXEC, 0o600)
    #endif
    if opened < 0 {
      // mkstemp writes six characters of its own over the last six.
      var template = Array("\(folder)/.mlc-XXXXXX".utf8CString)
      opened = mkstemp(&template)
      guard opened >= 0 else { throw OpenFile.unwritten(folder, errno) }
      _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
      unlink(template)
    }
    return OpenFile(opened, "a temporary file in \(folder)")
  }

  deinit { if descriptor >= 0 { _ = end(descriptor) } }

  /// Appends. Throws `file.write`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = put(descriptor, UnsafeRawBufferPointer(rebasing: rest))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw OpenFile.unwritten(path, count == 0 ? EIO : errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// A new file with `text`. Throws `file.write`.
  package static func write(_ text: String, to path: String) throws(Diagnostic) {
    var file = try OpenFile(creating: path)
    let storage = Storage(byteCount: text.utf8.count) { $0.copyBytes(from: text.utf8) }
    defer { withExtendedLifetime(storage) {} }
    try file.write(storage.bytes)
    try file.close()
  }

  /// Writes on from the file's beginning. Throws `file.write`.
  package func rewind() throws(Diagnostic) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw OpenFile.unwritten(path, errno) }
  }

  /// Throws `file.write` when the system kept back until now that it could not write.
  package mutating func close() throws(Diagnostic) {
    let status = end(descriptor)
    descriptor = -1
    guard status == 0 else { throw OpenFile.unwritten(path, errno) }
  }

  private static func irregular(_ path: String) -> Diagnostic {
    Diagnostic("file.not-a-file", "'\(path)' is not a regular file", at: Location(file: path))
  }

  private static func unopened(_ path: String, _ code: Int32) -> Diagnostic {
    let reason = String(cString: strerror(code))
    return Diagnostic("file.open", "cannot open '\(path)': \(reason)", kind: kind(code), at: Location(file: path))
  }

  static func unwritten(_ path: String, _ code: Int32) -> Diagnostic {
    let reason = String(cString: strerror(code))
    return Diagnostic("file.write", "cannot write '\(path)': \(reason)", kind: .environment, at: Location(file: path))
  }

  /// Whose fault an error number of reading is.
  static func kind(_ code: Int32) -> Diagnostic.Kind {
    [EMFILE, ENFILE, ENOMEM, EIO, EAGAIN].contains(code) ? .environment : .badModel
  }
}
