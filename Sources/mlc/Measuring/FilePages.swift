import Foundation
import MLCPackage

/// The pages of a package's files that the system keeps in memory.
struct FilePages {
  private let paths: [String]
  /// Bytes of all files.
  let bytes: Int

  init(_ manifest: Manifest, at path: String) {
    paths = manifest.files.map { "\(path)/\($0.path)" }
    bytes = manifest.files.reduce(0) { $0 + $1.size }
  }

  /// Has the system forget them, so that who reads the files next waits for the disk; false where it keeps some: the
  /// file system is in memory, another process uses the files, or nobody may know.
  func forget() -> Bool {
    for path in paths {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return false }
      defer { close(file) }
      // What is not written yet is kept whatever is asked.
      guard fdatasync(file) == 0, posix_fadvise(file, 0, 0, Int32(POSIX_FADV_DONTNEED)) == 0 else { return false }
    }
    return paths.allSatisfy { FilePages.resident($0) == 0 }
  }

  /// How many pages of the file at `path` are in memory; `nil` where the system does not say.
  private static func resident(_ path: String) -> Int? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    let size = Int(status.st_size)
    if size == 0 { return 0 }
    guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), memory != MAP_FAILED else { return nil }
    defer { munmap(memory, size) }
    let page = Int(getpagesize())
    var pages = [UInt8](repeating: 0, count: (size + page - 1) / page)
    return mincore(memory, size, &pages) == 0 ? pages.count { $0 & 1 == 1 } : nil
  }
}
