import Glibc
import MLCCore

/// A folder for this process under `TMPDIR`, for readers that take paths. What removes it is whoever set `TMPDIR`.
package enum Scratch {
  package static let folder: String = {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let path = "\(parent)/mlc-fuzz-\(getpid())"
    makeFolder(path)
    return path
  }()

  package static func makeFolder(_ path: String) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { fatalError("cannot make \(path): errno \(errno)") }
  }

  package static func write(_ bytes: UnsafeRawBufferPointer, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, bytes.isEmpty || Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    else {
      fatalError("cannot write \(path): errno \(errno)")
    }
    close(descriptor)
  }

  /// The path of a file that holds `bytes` and whose name ends in `suffix`.
  package static func file(_ bytes: UnsafeRawBufferPointer, _ suffix: String) -> String {
    let path = "\(folder)/input.\(suffix)"
    write(bytes, to: path)
    return path
  }
}

extension Storage {
  package convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(byteCount: bytes.count) { if !bytes.isEmpty { $0.copyMemory(from: bytes) } }
  }
}
