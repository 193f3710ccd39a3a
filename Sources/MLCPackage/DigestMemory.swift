import MLCCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which files were read whole and what their digests were, so that loading reads weights and code once for each
/// identity. It is kept in a file, where there is one, for other processes; what cannot be read or written there is as
/// if it were not.
package final class DigestMemory: Sendable {
  /// Files shorter than this are read faster than looked up.
  static let leastBytes = 1 << 16

  private let path: String?
  /// `nil` until it is asked for.
  private let known = Mutex<DigestRecords?>(nil)

  /// `path` is the file to keep it in; its folder is made when there is something to keep.
  package init(file path: String?) { self.path = path }

  /// The digest of the file that has this identity; `nil` when nobody remembers.
  package func digest(of identity: FileIdentity) -> [UInt8]? {
    if identity.size < Self.leastBytes { return nil }
    return known.withLock { known in
      let records = known ?? read()
      known = records
      return records.digest(of: identity)
    }
  }

  /// Remembers the digest of a file, unless it changed so recently that another change would not show.
  package func remember(_ identity: FileIdentity, _ digest: [UInt8]) {
    guard identity.size >= Self.leastBytes, identity.isSettled else { return }
    known.withLock { known in
      var mine = known ?? read()
      mine.insert(identity, digest)
      known = mine
      // Other processes may have written meanwhile; what two write at the same time, one of them digests again.
      var shared = read()
      shared.insert(identity, digest)
      write(shared)
    }
  }

  /// What the file holds; nothing unless it is this user's alone.
  private func read() -> DigestRecords {
    guard let path else { return DigestRecords() }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return DigestRecords() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0, status.st_size <= DigestRecords.mostBytes
    else { return DigestRecords() }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    return DigestRecords(bytes)
  }

  /// Puts a whole new file in the place of the old one, where that is possible.
  private func write(_ records: DigestRecords) {
    guard let path, let slash = path.lastIndex(of: "/"), FileSystem.makePrivateDirectories(String(path[..<slash]))
    else { return }
    var template = Array("\(path).XXXXXX".utf8CString)
    let descriptor = template.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
    guard descriptor >= 0 else { return }
    let temporary = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let count = records.bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    close(descriptor)
    if count != records.bytes.count || rename(temporary, path) != 0 { unlink(temporary) }
  }
}
