import MLCCore

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

  /// Throws `package.missing-file` when no folder is there, `file.open` when it cannot be opened.
  package init(_ path: String) throws(Diagnostic) {
    descriptor = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    self.path = path
    guard descriptor < 0 else { return }
    if errno == ENOENT || errno == ENOTDIR { throw PackageFolder.missing("manifest.json") }
    throw FileSystem.failure("file.open", "open", path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens a file by its path below the folder, following no link and waiting for nothing. Throws
  /// `package.missing-file`, `package.not-a-file` for a link on the way or anything but a regular file, `file.open` and
  /// `file.map`.
  package func open(_ name: String) throws(Diagnostic) -> PackageFile {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    var parent = descriptor
    defer { if parent != descriptor { close(parent) } }
    for part in parts.dropLast() {
      let next = openat(parent, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else { throw refusal(name) }
      if parent != descriptor { close(parent) }
      parent = next
    }
    let file = openat(parent, parts[parts.count - 1], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { throw refusal(name) }
    return try PackageFile(name, owning: file, in: self)
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
