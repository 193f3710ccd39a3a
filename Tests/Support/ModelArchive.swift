import Foundation
import MLCCore
import MLCTensorIO

/// Models in an archive of `Tests/Corpora`, of Core ML unless said otherwise, each `NAME.mlmodel` with what is known of
/// it beside it, unpacked into a folder that goes with this object.
package final class ModelArchive: Sendable {
  package let folder: URL

  /// `inner` is the archive in the archive that holds the models, if they are not in it themselves.
  package init(_ name: String, in corpus: String = "coreml", inner: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mlc-models-\(UUID().uuidString)")
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let path = tests.appending(path: "Corpora/\(corpus)/\(name)").path()
    var archive = try ZipReader(try MappedFile(path: path).storage, format: "zip")
    if let inner, let entry = try archive.entries().first(where: { $0.name == inner }) {
      archive = try ZipReader(try archive.unpack(entry), format: "zip")
    }
    try archive.unpack(to: folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  package func model(_ name: String) -> URL { folder.appending(path: "\(name).mlmodel") }

  /// What `NAME.json` says of a model.
  package func record<Record: Decodable>(_ name: String, as type: Record.Type = Record.self) throws -> Record {
    try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  /// The models that have a file of this suffix beside them, sorted.
  package func names(with suffix: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
  }
}
