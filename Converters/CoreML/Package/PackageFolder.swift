import Foundation
import MLCCore

/// A package being written: a hidden folder beside its place, put there in one step when it is whole.
struct PackageFolder: ~Copyable {
  let path: String
  private let temporary: String
  private var finished = false

  var data: String { "\(temporary)/Data/\(PackageManifest.folder)" }
  var weights: String { "\(data)/weights" }

  /// Throws `file.write` when the place of the package cannot be written.
  init(_ path: String) throws(Diagnostic) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let url = URL(fileURLWithPath: path)
    let parent = url.deletingLastPathComponent().path
    self.path = path
    temporary = "\(parent)/.\(url.lastPathComponent).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    do {
      guard FileManager.default.fileExists(atPath: parent) else { throw CocoaError(.fileNoSuchFile) }
      try FileManager.default.createDirectory(
        atPath: "\(temporary)/Data/\(PackageManifest.folder)/weights",
        withIntermediateDirectories: true
      )
    } catch { throw Self.failure(path, error) }
  }

  deinit { if !finished { try? FileManager.default.removeItem(atPath: temporary) } }

  /// Adds the model and the manifest and moves the package to its place, where an older package goes away.
  mutating func finish(model: Data, weights digest: String?) throws(Diagnostic) {
    var identity = ContentDigest()
    model.withUnsafeBytes { identity.update($0) }
    do {
      try model.write(to: URL(fileURLWithPath: "\(data)/model.mlmodel"))
      if digest == nil { try FileManager.default.removeItem(atPath: weights) }
      let manifest = PackageManifest(model: identity.uuid, weights: digest)
      try manifest.json.write(to: URL(fileURLWithPath: "\(temporary)/Manifest.json"))
      try replace()
    } catch { throw Self.failure(path, error) }
    finished = true
  }

  private func replace() throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: path) else { return try manager.moveItem(atPath: temporary, toPath: path) }
    guard manager.fileExists(atPath: "\(path)/Manifest.json") else { throw CocoaError(.fileWriteFileExists) }
    let old = "\(temporary).old"
    try manager.moveItem(atPath: path, toPath: old)
    do { try manager.moveItem(atPath: temporary, toPath: path) } catch {
      try? manager.moveItem(atPath: old, toPath: path)
      throw error
    }
    try? manager.removeItem(atPath: old)
  }

  private static func failure(_ path: String, _ error: any Error) -> Diagnostic {
    let reason: String
    switch (error as? CocoaError)?.code {
    case .fileWriteFileExists?: reason = "something that is not a Core ML package is there"
    case .fileNoSuchFile?: reason = "its folder does not exist"
    default: reason = error.localizedDescription
    }
    return Diagnostic("file.write", "cannot write '\(path)': \(reason)", kind: .environment, at: .init(file: path))
  }
}
