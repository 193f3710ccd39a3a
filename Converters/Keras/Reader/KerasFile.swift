import MLCCore
import MLCHDF5
import MLCTensorIO

/// A whole-model file as it is: the model's description and its weights, uninterpreted.
package struct KerasFile: Sendable {
  /// How weights are filed.
  package enum Filing: Sendable, Equatable {
    /// By layer names, in lists (`.h5` files).
    case legacy
    /// By paths of attributes (`.keras` archives).
    case paths
  }
  /// The model as a layer: `class_name`, `config` and so on.
  package var model: JSON
  package var weights: HDF5File
  package var filing: Filing
  /// `2.0.5`, `3.15.1`; empty when the file does not say.
  package var version = ""
  package var metadata: [(key: String, value: String)] = []
  /// What `compile` was given; `nil` when it was not called.
  package var training: JSON?

  package init(model: JSON, weights: HDF5File, filing: Filing) {
    (self.model, self.weights, self.filing) = (model, weights, filing)
  }

  /// Whether Keras 2 wrote it, whose layers differ in some defaults.
  package var isKeras2: Bool { !version.hasPrefix("3") }

  /// Reads a `.h5` file or a `.keras` archive, told apart by how they begin; the numbers of its weights only with
  /// `data`.
  ///
  /// Throws what `HDF5File.read` and `ZipReader` throw, `keras.no-model` for a file of weights alone, `keras.archive`
  /// for an archive that lacks a part.
  package static func read(_ path: String, data: Bool = true, helper: HDF5Helper = .init()) throws(Diagnostic)
    -> KerasFile
  {
    try locating(Location(file: path)) { () throws(Diagnostic) in
      let input = try OpenFile(reading: path)
      let mapped = try MappedFile(input)
      let isArchive = withExtendedLifetime(mapped) { mapped.bytes.starts(with: [0x50, 0x4b]) }
      if isArchive { return try KerasArchive.read(mapped.storage, data: data, helper: helper) }
      return try whole(try HDF5File.read(input, data: data, helper: helper))
    }
  }

  /// The model of an HDF5 file. Throws `keras.no-model`, `keras.json`.
  package static func whole(_ file: HDF5File) throws(Diagnostic) -> KerasFile {
    let root = file["/"]
    guard let text = root?[attribute: "model_config"]?.string else {
      throw Diagnostic(
        "keras.no-model",
        "the file describes no model; if it was saved with save_weights, save the whole model with model.save"
      )
    }
    var result = KerasFile(model: try json(text, "model_config"), weights: file, filing: .legacy)
    result.version = root?[attribute: "keras_version"]?.string ?? ""
    if let text = root?[attribute: "training_config"]?.string { result.training = try json(text, "training_config") }
    if let backend = root?[attribute: "backend"]?.string {
      guard !["theano", "cntk"].contains(backend) else {
        throw Diagnostic("keras.backend", "weights of the backend '\(backend)' are not supported", kind: .unsupported)
      }
      result.metadata = [("keras_version", result.version), ("backend", backend)]
    }
    return result
  }

  static func json(_ text: String, _ name: String) throws(Diagnostic) -> JSON {
    do throws(Diagnostic) { return try JSON(parsing: text) } catch {
      throw Diagnostic("keras.json", "\(name) is no sound JSON: \(error.message)")
    }
  }
}
