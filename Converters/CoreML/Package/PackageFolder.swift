import Foundation
import MLCCore

/// A package being written: a hidden folder beside its place, put there in one step when it is whole.
struct PackageFolder {
  private let path: String
  private let temporary: Temporary

  private var root: String { "\(temporary.path)/new" }
  var data: String { "\(root)/Data/\(PackageManifest.folder)" }
  var weights: String { "\(data)/weights" }

  /// Throws `file.write` when the place of the package cannot be written.
  init(_ path: String) throws(Diagnostic) {
    self.path = Self.trimmed(path)
    try Self.refuseForeign(self.path)
    temporary = try Temporary(beside: self.path)
    _ = try temporary.makeFolder("new/Data/\(PackageManifest.folder)/weights")
  }

  /// Refuses what writing a package to `path` would refuse. Throws `file.write`.
  static func check(_ path: String) throws(Diagnostic) {
    try refuseForeign(trimmed(path))
    _ = try Temporary(beside: trimmed(path))
  }

  /// Adds the model and the manifest and moves the package to its place, where an older package goes away.
  func finish(model: Data, weights digest: String?) throws(Diagnostic) {
    var identity = SHA256()
    model.withUnsafeBytes { identity.update($0) }
    do {
      try model.write(to: URL(fileURLWithPath: "\(data)/model.mlmodel"))
      if digest == nil { try FileManager.default.removeItem(atPath: weights) }
      let manifest = PackageManifest(model: identity.uuid, weights: digest)
      try manifest.json.write(to: URL(fileURLWithPath: "\(root)/Manifest.json"))
    } catch { throw Self.failure(path, error.localizedDescription) }
    try temporary.publish("new", as: path)
  }

  private static func trimmed(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func refuseForeign(_ path: String) throws(Diagnostic) {
    let files = FileManager.default
    guard files.fileExists(atPath: path), !files.fileExists(atPath: "\(path)/Manifest.json") else { return }
    throw failure(path, "something that is not a Core ML package is there")
  }

  private static func failure(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("file.write", "cannot write '\(path)': \(reason)", kind: .environment, at: .init(file: path))
  }
}
