import MLCCore
import MLCPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Packages compiled on this machine, in a folder of the user's: `KEY.mlmodelc`, with a `KEY.lock` beside it while in
/// the making.
package struct PackageCache: Sendable {
  package let folder: String

  /// `MLC_CACHE`, else `mlc/packages` in `XDG_CACHE_HOME`, else in `~/.cache`; `nil` when none of them is known.
  package static var standard: PackageCache? {
    if let folder = CompilerCommand.variable("MLC_CACHE") { return PackageCache(folder: folder) }
    if let base = CompilerCommand.variable("XDG_CACHE_HOME") { return PackageCache(folder: "\(base)/mlc/packages") }
    return CompilerCommand.variable("HOME").map { PackageCache(folder: "\($0)/.cache/mlc/packages") }
  }

  package init(folder: String) { self.folder = folder }

  /// The file of remembered digests.
  private static let digests = "digests"

  /// The memory for the digests of this user's packages, in the cache's folder where there is one.
  package static let memory = DigestMemory(file: standard.map { "\($0.folder)/\(digests)" })

  /// What names the compiled form of the package that has the digest `package` for `device`: SHA-256 of all that it
  /// follows from.
  package static func key(package: String, device: String, compiler: String) -> String {
    SHA256.hexDigest([package, device, compiler, "2"].joined(separator: "\0"))
  }

  package func entry(_ key: String) -> String { "\(folder)/\(key).mlmodelc" }

  /// Runs `body` while no other process does with the same key. Throws `runtime.cache` when the folder cannot be used.
  package func exclusively<R>(_ key: String, _ body: () throws(Diagnostic) -> R) throws(Diagnostic) -> R {
    guard FileSystem.makePrivateDirectories(folder) else { throw PackageCache.failure(folder) }
    let path = "\(folder)/\(key).lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw PackageCache.failure(path) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw PackageCache.failure(path) }
    }
    return try body()
  }

  package func remove(_ key: String) { Temporary.removeTree(entry(key)) }

  private static func failure(_ path: String) -> Diagnostic {
    let reason = String(cString: strerror(errno))
    return Diagnostic("runtime.cache", "the cache cannot be used: '\(path)': \(reason)", kind: .environment)
  }
}

// MARK: Looking after it

extension PackageCache {
  package struct Entry: Sendable {
    package let key: String, path: String
    package let device: String, tool: String, bytes: Int
    /// Why it cannot be used; `nil` when it can.
    package let problem: String?
  }

  /// What the cache holds, by key.
  package func entries() -> [Entry] {
    FileSystem.names(in: folder).filter { $0.hasSuffix(".mlmodelc") && !$0.hasPrefix(".") }.sorted().map { name in
      let (key, path) = (String(name.dropLast(9)), "\(folder)/\(name)")
      do throws(Diagnostic) {
        let package = try PackageReader(path: path)
        return Entry(
          key: key,
          path: path,
          device: package.manifest.targets.last?.device.name ?? "",
          tool: package.manifest.tool,
          bytes: package.manifest.files.reduce(0) { $0 + $1.size },
          problem: nil
        )
      } catch { return Entry(key: key, path: path, device: "", tool: "", bytes: 0, problem: error.message) }
    }
  }

  /// Removes all packages, locks and remembered digests, what an interrupted compilation left, and nothing else that
  /// stands in the folder; answers how many packages there were.
  package func clear() -> Int {
    Temporary.sweep(folder)
    var count = 0
    for name in FileSystem.names(in: folder) {
      if name.split(separator: ".").first.map({ $0 == PackageCache.digests }) ?? false {
        Temporary.removeTree("\(folder)/\(name)")
      }
      let isKey = name.split(separator: ".").first.map { $0.utf8.count == 64 } ?? false
      guard isKey, name.hasSuffix(".mlmodelc") || name.hasSuffix(".lock") else { continue }
      Temporary.removeTree("\(folder)/\(name)")
      if name.hasSuffix(".mlmodelc") { count += 1 }
    }
    return count
  }
}
