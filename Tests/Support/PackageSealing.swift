import Foundation
import MLCCore
import MLCPackage

/// Writes into compiled packages what digests alone do not notice.
package enum PackageSealing {
  /// Gives `manifest.json`, which someone changed, the digest that belongs to it; one that is no JSON stays as it is.
  package static func sealManifest(of package: String) throws {
    try rewriteManifest(of: package) { $0 }
  }

  /// Gives every file that the manifest names the size and digest that it has now, then the manifest its own.
  package static func reseal(_ package: String) throws {
    try rewriteManifest(of: package) { resized($0, in: package) }
  }

  private static func rewriteManifest(of package: String, _ change: (JSON) -> JSON) throws {
    let url = URL(filePath: package).appending(path: "manifest.json")
    guard let manifest = try? JSON(parsing: String(contentsOf: url, encoding: .utf8)) else { return }
    try Data(Manifest.seal(change(manifest)).text.utf8).write(to: url)
  }

  /// `value` with every object that describes a file as the file is.
  private static func resized(_ value: JSON, in package: String) -> JSON {
    switch value {
    case .array(let items): return .array(items.map { resized($0, in: package) })
    case .object(var members):
      if case .string(let path)? = members["path"], members["sha256"] != nil,
        let data = FileManager.default.contents(atPath: "\(package)/\(path)")
      {
        members["size"] = .integer(data.count)
        members["sha256"] = .string(data.withUnsafeBytes { SHA256.hexDigest($0) })
        return .object(members)
      }
      return .object(members.mapValues { resized($0, in: package) })
    default: return value
    }
  }
}

/// A generator of numbers that are the same each time: SplitMix64.
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
