import MLCCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A package's folder, held open: what is read comes from this folder, whatever becomes of its path meanwhile.
package final class PackageFolder: Sendable {
  package let path: String
  private let descriptor: Int32
  /// The folder in which a file was opened last, by its path below: most files stand beside the one before.
  private let inner = Mutex<(path: Substring, descriptor: Int32)?>(nil)

  /// Throws `package.missing-file` when no folder is there, `file.open` when it cannot be opened.
  package init(_ path: String) throws(Diagnostic) {
    descriptor = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    self.path = path
    guard descriptor < 0 else { return }
    if errno == ENOENT || errno == ENOTDIR { throw PackageFolder.missing("manifest.json") }
    throw FileSystem.failure("file.open", "open", path)
  }

  deinit {
    inner.withLock { if let inner = $0 { close(inner.descriptor) } }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Opens a file by its path below the folder, following no link and waiting for nothing. Throws
  /// `package.missing-file`, `package.not-a-file` for a link on the way or anything but a regular file, `file.open` and
  /// `file.map`.
  package func open(_ name: String) throws(Diagnostic) -> PackageFile {
    let file = try within(name) { openat($0, $1, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
    return try PackageFile(name, owning: file, in: self)
  }

  /// The length of a file, which is not opened. Throws as `open` does.
  package func size(_ name: String) throws(Diagnostic) -> Int {
    var status = stat()
    _ = try within(name) { fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw PackageFolder.notAFile(name) }
    return Int(status.st_size)
  }

  /// What `body` gives for the folder that a file stands in, and its name there. Throws when that is negative.
  private func within(_ name: String, _ body: (Int32, String) -> Int32) throws(Diagnostic) -> Int32 {
    let slash = name.lastIndex(of: "/")
    let parent = name[..<(slash ?? name.startIndex)]
    let last = slash.map { name[name.index(after: $0)...] } ?? name[...]
    return try inner.withLock { (inner) throws(Diagnostic) -> Int32 in
      if !parent.isEmpty, inner?.path != parent {
        let opened = try folder(parent, of: name)
        if let inner { close(inner.descriptor) }
        inner = (parent, opened)
      }
      let result = body(parent.isEmpty ? descriptor : inner!.descriptor, String(last))
      guard result >= 0 else { throw refusal(name) }
      return result
    }
  }

  /// A descriptor of the folder `path`; throws for the file `name`.
  private func folder(_ path: Substring, of name: String) throws(Diagnostic) -> Int32 {
    var opened = descriptor
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      let next = openat(opened, String(part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else {
        defer { if opened != descriptor { close(opened) } }
        throw refusal(name)
      }
      if opened != descriptor { close(opened) }
      opened = next
    }
    return opened
  }

  /// The paths of all that is below the folder and no folder, links and special files included, sorted. Looks at
  /// `limit` entries at most.
  package func names(atMost limit: Int) -> [String] {
    var found: [String] = []
    var folders = [path]
    var seen = 0
    while let folder = folders.popLast() {
      for name in FileSystem.names(in: folder) where seen < limit {
        seen += 1
        let inner = "\(folder)/\(name)"
        let isFolder = FileSystem.isDirectory(inner) && !FileSystem.isLink(inner)
        if isFolder { folders.append(inner) } else { found.append(inner) }
      }
    }
    return found.map { String($0.dropFirst(path.count + 1)) }.sorted()
  }

  static func missing(_ name: String) -> Diagnostic {
    Diagnostic("package.missing-file", "the package has no '\(name)'")
  }

  static func notAFile(_ name: String) -> Diagnostic {
    Diagnostic(
      "package.not-a-file",
      "'\(name)' is no regular file inside of the package: links and special files are not followed"
    )
  }

  /// Why the system did not open the file, as `errno` has it.
  private func refusal(_ name: String) -> Diagnostic {
    switch errno {
    case ENOENT: PackageFolder.missing(name)
    // A link, a file in the place of a folder, a socket, a device without a driver.
    case ELOOP, ENOTDIR, ENXIO, ENODEV: PackageFolder.notAFile(name)
    default: FileSystem.failure("file.open", "open", "\(path)/\(name)")
    }
  }
}

/// One file of a package, opened once: what is digested, mapped and loaded is this very file.
package final class PackageFile: Sendable {
  /// Its path below the package's folder.
  package let name: String
  package let mapped: MappedFile
  /// Open as long as this object lives.
  package let descriptor: Int32
  /// As it was opened.
  package let identity: FileIdentity

  fileprivate init(_ name: String, owning descriptor: Int32, in folder: PackageFolder) throws(Diagnostic) {
    do throws(Diagnostic) {
      guard let identity = FileIdentity(descriptor) else { throw PackageFolder.notAFile(name) }
      mapped = try MappedFile(descriptor: descriptor, path: "\(folder.path)/\(name)")
      (self.name, self.descriptor, self.identity) = (name, descriptor, identity)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Whether it is still the file that was opened, unchanged as far as its times and length say.
  var isUnchanged: Bool { FileIdentity(descriptor) == identity }

  /// SHA-256 of its bytes as they are now.
  var digest: [UInt8] {
    var hash = SHA256()
    withExtendedLifetime(mapped) { hash.update(mapped.bytes) }
    return hash.digest
  }
}
