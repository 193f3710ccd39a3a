import Foundation

/// What a model consists of: one file, or a folder of them.
enum ModelContent {
  /// Depends on the kind of file, the names inside of a folder and every byte; not on where the model lies, nor on its
  /// name.
  static func digest(_ model: URL) throws -> String {
    var digest = SHA256()
    digest.update("\(model.pathExtension)\n".utf8)
    for (name, file) in try files(of: model) {
      let bytes = try Data(contentsOf: file, options: .mappedIfSafe)
      digest.update("\(name.utf8.count) \(name) \(bytes.count)\n".utf8)
      digest.update(bytes)
    }
    return digest.digest()
  }

  static func size(_ model: URL) throws -> Int {
    try files(of: model).reduce(0) { sum, file in
      let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
      return sum + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  /// In the order of their names.
  private static func files(of model: URL) throws -> [(name: String, url: URL)] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: model.path, isDirectory: &isFolder) else {
      throw CocoaError(.fileNoSuchFile)
    }
    if !isFolder.boolValue { return [("", model)] }
    return try FileManager.default.subpathsOfDirectory(atPath: model.path).sorted().compactMap { name in
      let url = model.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
        return nil
      }
      return (name, url)
    }
  }
}
