import Foundation

/// One model in a target's folder.
struct ModelFiles {
  /// A file or, for a `.mlpackage`, a folder.
  let url: URL
  /// All that the compiled model depends on: its files, and the settings beside it.
  var inputs: [URL]

  /// Without the suffix.
  var name: String { url.deletingPathExtension().lastPathComponent }

  private static let fileSuffixes: Set<String> = ["onnx", "h5", "hdf5", "keras", "mlmodel"]
  private static let folderSuffix = "mlpackage"
  private static let settings = "mlc.json"

  /// The models among a target's files, by path.
  static func models(among files: [URL]) -> [ModelFiles] {
    var models: [URL: [URL]] = [:]
    var others: [URL] = []
    for file in files {
      if let package = package(of: file) {
        models[package, default: []].append(file)
      } else if fileSuffixes.contains(file.pathExtension.lowercased()) {
        models[file] = [file]
      } else {
        others.append(file)
      }
    }
    let ordered = models.keys.sorted { $0.path < $1.path }
    return ordered.map { model in
      let besides = others.filter { mayBelong($0, to: model) }
      return ModelFiles(url: model, inputs: (models[model] ?? []) + besides)
    }
  }

  /// The outermost `.mlpackage` that `file` is in.
  private static func package(of file: URL) -> URL? {
    var (folder, found) = (file.deletingLastPathComponent(), URL?.none)
    while folder.path != "/" && folder.path.count > 1 {
      if folder.pathExtension.lowercased() == folderSuffix { found = folder }
      folder.deleteLastPathComponent()
    }
    return found.map { URL(filePath: $0.path(percentEncoded: false), directoryHint: .notDirectory) }
  }

  /// Whether `file` is settings of `model`, or may hold its weights: an ONNX model keeps them in any files beside it.
  private static func mayBelong(_ file: URL, to model: URL) -> Bool {
    let folder = model.deletingLastPathComponent().path
    if file.deletingLastPathComponent().path == folder && file.lastPathComponent == settings { return true }
    guard model.pathExtension.lowercased() == "onnx", file.path.hasPrefix(folder + "/") else { return false }
    return !sourceSuffixes.contains(file.pathExtension.lowercased())
  }

  /// What other tools of the build take.
  private static let sourceSuffixes: Set<String> = [
    "swift", "c", "cc", "cpp", "cxx", "m", "mm", "s", "h", "hh", "hpp", "hxx", "modulemap", "md", "json", "txt", "py",
    "png", "jpg", "jpeg",
  ]
}
