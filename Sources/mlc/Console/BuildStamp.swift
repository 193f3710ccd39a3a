import Foundation
import MLCCore
import MLCPackage

/// What a result of `mlc build` was made from, kept beside it: a build system may run the command again although
/// nothing changed, and the work is not done twice then.
struct BuildStamp: Equatable {
  /// The files, the arguments and the program, as text.
  private let text: String

  /// `files` as they are now: by path, length and time of change. Files that are not there count too.
  init(files: [String], arguments: [String]) throws(Diagnostic) {
    var lines = ["mlc \(MLC.version) \(try BuildStamp.programDigest())"] + arguments
    for file in files.sorted() {
      var status = stat()
      let known = stat(file, &status) == 0
      lines.append(
        known ? "\(file) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)" : "\(file) -"
      )
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  func isKept(at path: String) -> Bool {
    guard let file = try? MappedFile(path: path) else { return false }
    return withExtendedLifetime(file) { file.bytes.elementsEqual(text.utf8) }
  }

  func keep(at path: String) throws(Diagnostic) { try AtomicFile.write(text, to: path) }

  /// Of the running executable, so that a changed mlc builds anew: its length, and one word in 64 bytes. A change of
  /// code moves what follows it, so that some of these words differ.
  private static func programDigest() throws(Diagnostic) -> String {
    let program = try MappedFile(path: "/proc/self/exe")
    defer { withExtendedLifetime(program) {} }
    let (bytes, count) = (program.bytes, program.bytes.count)
    var hash = UInt64(count)
    var offset = 0
    while offset + 8 <= count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
      offset += 64
    }
    return String(hash, radix: 16)
  }
}
