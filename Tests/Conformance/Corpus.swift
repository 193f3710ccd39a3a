import Foundation
import Testing

/// Where `make corpora` puts test data.
enum Corpus {
  static let folder: String = {
    if let cache = ProcessInfo.processInfo.environment["MLC_CACHE"] { return cache }
    return testFolder.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(".cache").path
  }()
  static let cases = folder + "/onnx_cases"
  static let golden = folder + "/golden"

  /// Where this file is, and the lists beside it.
  static let testFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Fails the test that asks where `path` is absent, and ends it.
  static func require(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try #require(exists(path), "\(path) is absent: run 'make corpora'", sourceLocation: sourceLocation)
  }

  /// Names in a folder, sorted; none when it is absent.
  static func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
