import Glibc
import MLCCore

/// Plays seeds with each of their numbers, one at a time, as far out as it goes. An input that breaks the reader, or
/// takes it more than ten seconds, is kept.
struct ExtremePlay {
  let target: FuzzTarget
  /// Inputs above this length, whose numbers are too many, are left out.
  private static let longest = 6000

  /// The input that is played, for the handler of signals; and the file that it becomes.
  private nonisolated(unsafe) static var current: UnsafeMutableRawBufferPointer?  // One thread writes, the same reads.
  private nonisolated(unsafe) static var found: UnsafeMutablePointer<CChar>?  // As above.

  /// Every `step`th of the files in `folder`, in the order of their names. What is found is written to `path`.
  func play(_ folder: String, step: Int, found path: String) {
    Self.found = strdup(path)
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGALRM] {
      signal(number) { ExtremePlay.keep($0) }
    }
    var count = 0
    for name in Self.names(folder).enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
      guard let bytes = Self.contents("\(folder)/\(name)"), bytes.count <= Self.longest else { continue }
      target.mutator?.extremes(of: bytes) { input in
        count += 1
        input.withUnsafeBytes { source in
          let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
          defer { copy.deallocate() }
          copy.copyMemory(from: source)
          Self.current = copy
          alarm(10)
          target.play(UnsafeRawBufferPointer(copy))
          Self.current = nil
        }
      }
    }
    print(count)
  }

  private static func keep(_ number: CInt) {
    if let found, let current {
      let file = open(found, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      _ = write(file, current.baseAddress, current.count)
    }
    _exit(128 + number)
  }

  private static func names(_ folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.first != "." { names.append(name) }
    }
    return names.sorted()
  }

  private static func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: longest + 1)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
  }
}
