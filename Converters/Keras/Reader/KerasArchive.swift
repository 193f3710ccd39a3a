import MLCCore
import MLCHDF5
import MLCTensorIO

/// A `.keras` archive: a zip of `config.json`, `metadata.json` and `model.weights.h5`.
enum KerasArchive {
  /// What `config.json` may unpack to.
  static let maximumConfig = 1 << 26

  /// Throws `keras.zip`, `keras.size`, `keras.archive`, `keras.json` and what `HDF5File.read` throws.
  static func read(_ storage: Storage, data: Bool, helper: HDF5Helper) throws(Diagnostic) -> KerasFile {
    let archive = try ZipReader(storage, format: "keras")
    let entries = try archive.entries()
    func entry(_ name: String) throws(Diagnostic) -> ZipReader.Entry {
      guard let entry = entries.first(where: { $0.name == name }) else {
        throw Diagnostic("keras.archive", "the archive holds no \(name)")
      }
      return entry
    }
    func text(_ name: String) throws(Diagnostic) -> String {
      let entry = try entry(name)
      guard entry.length <= maximumConfig else {
        throw Diagnostic("keras.size", "\(name) claims \(entry.length) bytes")
      }
      let storage = try archive.unpack(entry)
      return withExtendedLifetime(storage) { String(decoding: storage.bytes, as: UTF8.self) }
    }
    let model = try KerasFile.json(try text("config.json"), "config.json")
    // libhdf5 reads nothing that has no name.
    let folder = try Temporary()
    defer { withExtendedLifetime(folder) {} }
    let weights = try OpenFile(creating: "\(folder.path)/model.weights.h5")
    try archive.unpack(try entry("model.weights.h5"), to: weights)
    let file = try HDF5File.read(weights, data: data, helper: helper)
    var result = KerasFile(model: model, weights: file, filing: .paths)
    if case .object(let members) = model { result.training = members["compile_config"] }
    if case .object(let members) = try KerasFile.json(try text("metadata.json"), "metadata.json"),
      case .string(let version)? = members["keras_version"]
    {
      result.version = version
      result.metadata = [("keras_version", version)]
    }
    return result
  }
}
