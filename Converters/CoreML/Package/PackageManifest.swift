import Foundation
import MLCCore

/// `Manifest.json`: which item of a package is the model.
struct PackageManifest: Codable {
  struct Item: Codable {
    var author = "com.apple.CoreML"
    var description: String
    var name: String
    var path: String
  }
  var fileFormatVersion = "1.0.0"
  var itemInfoEntries: [String: Item] = [:]
  var rootModelIdentifier = ""

  static let folder = "com.apple.CoreML"

  /// Identifiers follow from the contents, so that equal packages are equal files.
  init(model: String, weights: String?) {
    rootModelIdentifier = model
    itemInfoEntries[model] = Item(
      description: "CoreML Model Specification",
      name: "model.mlmodel",
      path: "\(Self.folder)/model.mlmodel"
    )
    if let weights {
      itemInfoEntries[weights] = Item(
        description: "CoreML Model Weights",
        name: "weights",
        path: "\(Self.folder)/weights"
      )
    }
  }

  var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try! encoder.encode(self)  // strings always encode
  }

  /// The path of the model below `Data`. Throws `coreml.manifest`.
  static func modelPath(_ data: Data) throws(Diagnostic) -> String {
    let manifest: PackageManifest
    do { manifest = try JSONDecoder().decode(PackageManifest.self, from: data) } catch {
      throw Diagnostic("coreml.manifest", "Manifest.json is damaged")
    }
    guard manifest.fileFormatVersion.hasPrefix("1.") else {
      throw Diagnostic("coreml.manifest", "Manifest.json has version \(manifest.fileFormatVersion); mlc reads 1.0.0")
    }
    guard let item = manifest.itemInfoEntries[manifest.rootModelIdentifier] else {
      throw Diagnostic("coreml.manifest", "Manifest.json names no model")
    }
    guard PackagePath.isInside(item.path) else {
      throw Diagnostic("coreml.manifest", "the model's path '\(item.path)' leaves the package")
    }
    return item.path
  }
}

/// Paths that a package's files hold.
enum PackagePath {
  /// Whether `path` is relative and never climbs.
  static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != ".." && $0 != "." }
  }

  /// `folder/path` with links followed, `nil` when that is not there or outside `folder`.
  static func resolve(_ path: String, in folder: String) -> String? {
    guard isInside(path), let root = real(folder), let target = real("\(folder)/\(path)") else { return nil }
    return target.hasPrefix(root + "/") ? target : nil
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
