#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What tells a regular file from every other, and from itself before a change: writing to a file changes its times,
/// and nobody but the system sets the second.
package struct FileIdentity: Hashable, Sendable {
  package let device: Int64, inode: Int64, size: Int64
  /// When the bytes and when anything of the file changed last, in nanoseconds since 1970.
  package let modified: Int64, changed: Int64

  package init(device: Int64, inode: Int64, size: Int64, modified: Int64, changed: Int64) {
    (self.device, self.inode, self.size, self.modified, self.changed) = (device, inode, size, modified, changed)
  }

  /// Of the open file; `nil` unless it is a regular one.
  package init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      device: Int64(truncatingIfNeeded: status.st_dev),
      inode: Int64(truncatingIfNeeded: status.st_ino),
      size: Int64(status.st_size),
      modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
      changed: Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec)
    )
  }

  /// Whether the file's last change is so long ago that the next one has another time: clocks of file systems tick
  /// slowly.
  var isSettled: Bool {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    let time = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    return max(modified, changed) < time &- 2_000_000_000
  }

  var words: [Int64] { [device, inode, size, modified, changed] }
}
