import Foundation
import MLCCore
import MLCTensorIO

extension ZipReader {
  /// Writes the files of the archive into `folder`, those alone whose names are `wanted`, with the folders that they
  /// are in.
  package func unpack(to folder: URL, where wanted: (String) -> Bool = { _ in true }) throws {
    for entry in try entries() where wanted(entry.name) {
      let file = folder.appending(path: entry.name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let storage = try unpack(entry)
      try withExtendedLifetime(storage) { try Data(storage.bytes).write(to: file) }
    }
  }
}
