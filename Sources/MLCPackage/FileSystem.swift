import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The few file operations that writing a package takes. Problems are `file.…` diagnostics of kind `environment`.
package enum FileSystem {
  static func failure(_ id: Diagnostic.ID, _ action: String, _ path: String) -> Diagnostic {
    let reason = String(cString: strerror(errno))
    return Diagnostic(id, "cannot \(action) '\(path)': \(reason)", kind: .environment, at: .init(file: path))
  }

  /// Whether something is there, a dangling link included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names of what a directory holds; none when it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Whether a symbolic link is there.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Makes the directory and those above it that are not there, for this user alone; whether it is there then.
  package static func makePrivateDirectories(_ path: String) -> Bool {
    if isDirectory(path) { return true }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex, !makePrivateDirectories(String(path[..<slash])) {
      return false
    }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  /// Removes the directory if nothing is in it; anything else stays.
  static func removeEmptyDirectory(_ path: String) { rmdir(path) }

  /// Makes the directory unless it is there; its parent must be.
  static func makeDirectory(_ path: String) throws(Diagnostic) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw failure("file.write", "make directory", path)
    }
  }

  static func rename(_ old: String, to new: String) throws(Diagnostic) {
    guard renameat(AT_FDCWD, old, AT_FDCWD, new) == 0 else {
      throw failure("file.rename", "rename '\(old)' to", new)
    }
  }
}
