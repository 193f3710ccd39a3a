import Glibc
import MLCCore

/// A file that is open as long as this lives, closed to other programs that the process starts.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32
  /// The path of a temporary file whose name goes with this.
  private let name: [CChar]

  /// Throws `file.open`.
  package init(reading path: String) throws(Diagnostic) {
    name = []
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Diagnostic("file.open", "cannot open '\(path)': \(String(cString: strerror(errno)))")
    }
  }

  /// A new, empty file in the folder of temporary files, gone with this. It has a name as long as `named` only, which
  /// libhdf5 needs of what it reads. Throws `file.write`.
  package init(temporary prefix: String, named: Bool = false) throws(Diagnostic) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // mkstemp writes six characters of its own over the last six.
    var template = Array("\(folder)/\(prefix)-\(String(repeating: "X", count: 6))".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw Diagnostic("file.write", "cannot write in '\(folder)': \(reason)", kind: .environment)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    name = named ? template : []
    if !named { unlink(template) }
  }

  deinit {
    if !name.isEmpty { unlink(name) }
    close(descriptor)
  }

  /// A path to it for this process, even when it has no name.
  package var path: String { "/proc/self/fd/\(descriptor)" }
}
