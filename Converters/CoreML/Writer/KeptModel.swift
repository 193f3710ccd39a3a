import CoreMLProto
import Foundation
import MLCCore
import SwiftProtobuf

/// A model that a package holds as it was read, since no ML Program computes the like: linear models, trees, nearest
/// neighbours and all others of `ClassicalTable`, and pipelines that hold one.
package struct KeptModel: Sendable {
  /// What the schema calls it, or the first such model of a pipeline.
  package let kind: String
  /// Author, description, license, version, and what has other keys.
  package var metadata: [(key: String, value: String)]
  private let whole: MLModelSpec
  /// Where its weights files lie, if it has some.
  private let weights: String?

  /// The model at `path`, a package or a lone `.mlmodel`; `nil` for one that becomes an ML Program. Throws as
  /// `CoreMLPackage.read` does.
  package init?(_ path: String) throws(Diagnostic) {
    let location = Location(file: path)
    let part = try locating(location) { () throws(Diagnostic) in try ModelFile.open(path) }
    guard let kind = part.keptKind else { return nil }
    (self.kind, metadata) = (kind, part.metadata)
    let model = try ModelFile.locate(path)
    // What was read so far has no weights of networks, which stay in the file.
    let file = try MappedFile(path: model)
    defer { withExtendedLifetime(file) {} }
    do { whole = try MLModelSpec(serializedBytes: Data(file.bytes)) } catch {
      throw Diagnostic("coreml.malformed", "not a Core ML model", at: location)
    }
    let folder = URL(filePath: model).deletingLastPathComponent().appending(path: "weights").path
    weights = model != path && FileManager.default.fileExists(atPath: folder) ? folder : nil
  }

  var hasWeights: Bool { weights != nil }
  /// The oldest that packages are written for has all kinds.
  var deploymentTarget: CoreMLWriteOptions.DeploymentTarget {
    CoreMLWriteOptions.DeploymentTarget.allCases.last { $0.specificationVersion <= whole.specificationVersion }
      ?? .iOS15
  }

  var spec: MLModelSpec {
    var spec = whole
    spec.description_p.metadata = .init(metadata)
    return spec
  }

  /// Copies the weights files to `folder`, in the order of their names; the digest of all bytes. Throws
  /// `coreml.weights` for one that lies elsewhere, `file.write` and what opening throws.
  func copyWeights(to folder: String) throws(Diagnostic) -> (bytes: Int, digest: SHA256) {
    var (bytes, digest) = (0, SHA256())
    guard let weights else { return (bytes, digest) }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: weights)) ?? []
    for name in names.sorted() {
      guard let path = PackagePath.resolve(name, in: weights) else {
        throw Diagnostic("coreml.weights", "the weights file '\(name)' is not in the package")
      }
      let file = try MappedFile(path: path)
      defer { withExtendedLifetime(file) {} }
      var copy = try OpenFile(creating: "\(folder)/\(name)")
      try copy.write(file.bytes)
      try copy.close()
      digest.update(file.bytes)
      bytes += file.bytes.count
    }
    return (bytes, digest)
  }
}

extension ModelPart {
  /// What the model is called if no ML Program says it, or the first model of a pipeline that none says.
  fileprivate var keptKind: String? {
    if ClassicalTable.row(spec).rule != nil { return kind }
    return pipelined.lazy.compactMap(\.keptKind).first
  }
}
