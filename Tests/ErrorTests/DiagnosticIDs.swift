import Foundation

/// The ids that the product can emit, as its sources spell them.
struct DiagnosticIDs {
  /// Whole ids, with the file that emits each.
  private(set) var ids: [String: String] = [:]
  /// `problem` of ids whose first part is put in as the program runs: `"\(op).axis"`.
  private(set) var problems: [String: String] = [:]

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What strings of the form of an id begin with that name operators of ONNX, functions of TensorFlow and formats.
  private static let modules: Set<String> = ["ai", "com", "math", "nn", "public"]
  /// What those end with that name files.
  private static let suffixes: Set<String> = [
    "c", "so", "o", "h", "json", "txt", "onnx", "mlmodel", "lld", "bin", "npy", "npz", "h5", "keras", "zip",
  ]

  init() throws {
    for folder in ["Sources", "Converters"] {
      for (path, text) in try Self.swiftFiles(folder) where !path.contains("Explanations") { add(text, path) }
    }
  }

  private mutating func add(_ text: String, _ path: String) {
    for match in text.matches(of: #/"([a-z][a-z0-9_]*(?:-[a-z0-9]+)*)\.([a-z0-9]+(?:-[a-z0-9]+)*)"/#) {
      if Self.modules.contains(String(match.1)) || Self.suffixes.contains(String(match.2)) { continue }
      ids["\(match.1).\(match.2)"] = path
    }
    for match in text.matches(of: #/(?:Diagnostic|ID|\.init)\(\s*"\\\([A-Za-z.]+\)\.([a-z-]+)"/#) {
      problems[String(match.1)] = path
    }
  }

  /// Path and text of each Swift file below `folder` that a person wrote.
  static func swiftFiles(_ folder: String) throws -> [(path: String, text: String)] {
    let base = root.appending(path: folder)
    let walk = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil)
    var files: [(path: String, text: String)] = []
    while let url = walk?.nextObject() as? URL {
      guard url.pathExtension == "swift", !url.lastPathComponent.hasSuffix(".pb.swift") else { continue }
      files.append((url.path(), try String(contentsOf: url, encoding: .utf8)))
    }
    return files.sorted { $0.path < $1.path }
  }
}
