import CMLCProcess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A hidden folder for what is not finished, gone with its last user. Making one removes those in the same folder whose
/// process ended without doing so.
///
/// `@unchecked Sendable`: nothing of it changes, and the C side holds a lock where it acts.
package final class Temporary: @unchecked Sendable {  // nothing changes
  package let path: String
  private let handle: OpaquePointer

  /// In `folder`, so that what is finished can be moved anywhere in the same file system. Throws `file.write`.
  package init(in folder: String = Temporary.systemFolder) throws(Diagnostic) {
    var error: Int32 = 0
    guard let handle = mlc_temporary_make(folder, &error) else {
      let reason = String(cString: strerror(error))
      throw Diagnostic("file.write", "cannot write in '\(folder)': \(reason)", kind: .environment)
    }
    (self.handle, path) = (handle, String(cString: mlc_temporary_path(handle)))
  }

  /// Beside the result that is to stand at `path`. Throws `file.write`, which names `path`.
  package convenience init(beside path: String) throws(Diagnostic) {
    do throws(Diagnostic) { try self.init(in: Temporary.parent(of: path)) } catch {
      var located = error
      located.location = error.location.within(Location(file: path))
      throw located
    }
  }

  deinit { mlc_temporary_remove(handle) }

  /// The folder of temporary files that the environment names.
  package static var systemFolder: String {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return named.isEmpty ? "/tmp" : named
  }

  /// Makes the folder `name` in this one, and those that it lies in, and answers its path. It never makes this one
  /// again, which is gone for good as soon as the command ends. Throws `file.write`.
  package func makeFolder(_ name: String) throws(Diagnostic) -> String {
    var folder = path
    for part in name.split(separator: "/") {
      folder += "/\(part)"
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw OpenFile.unwritten(folder, errno) }
    }
    return folder
  }

  /// Moves `name`, a file or folder in this one, to `path`. A file replaces a file, a folder whatever is there: the
  /// caller knows what that is. There is the old or the new at any time. Throws `file.rename`; then the old is.
  package func publish(_ name: String, as path: String) throws(Diagnostic) {
    let code = mlc_temporary_publish(handle, name, path)
    guard code == 0 else {
      let reason = String(cString: strerror(code))
      throw Diagnostic(
        "file.rename",
        "cannot put the result in the place of '\(path)': \(reason)",
        kind: .environment,
        at: Location(file: path)
      )
    }
  }

  /// Removes the temporary folders in `folder` whose process is gone.
  package static func sweep(_ folder: String) { mlc_temporary_sweep(folder) }

  /// Removes a file or a folder with all in it, following no links; what cannot be removed stays.
  package static func removeTree(_ path: String) { mlc_remove_tree(path) }

  /// `a/b/` → `a`, `b` → `.`, `/b` → `/`.
  static func parent(of path: String) -> String {
    guard let last = path.lastIndex(where: { $0 != "/" }) else { return "/" }
    guard let slash = path[...last].lastIndex(of: "/") else { return "." }
    guard let end = path[...slash].lastIndex(where: { $0 != "/" }) else { return "/" }
    return String(path[...end])
  }
}
