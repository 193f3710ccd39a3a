import Foundation
import MLCCore
import MLCTensorIO
import Testing

/// Keras models under other names.
enum KerasNames {
  /// The archive of the fixtures: names of the model and its layers in `config.json`, and what `metadata.json` says.
  static func archive(_ path: String, _ names: inout NameSource) throws -> [String] {
    let file = try MappedFile(path: MLCProcess.fixture("lstm.keras"))
    let archive = try ZipReader(file.storage)
    var layers: [String] = []
    var entries: [(name: String, storage: Storage)] = []
    for entry in try archive.entries() {
      var storage = try archive.unpack(entry)
      if entry.name == "config.json" {
        var config = try #require(try JSONSerialization.jsonObject(with: Data(storage.bytes)) as? [String: Any])
        layers = rename(&config, &names)
        storage = try bytes(JSONSerialization.data(withJSONObject: config))
      } else if entry.name == "metadata.json" {
        let metadata = ["keras_version": "3.0.0", "date_saved": names.all()]
        storage = try bytes(JSONSerialization.data(withJSONObject: metadata))
      }
      entries.append((entry.name, storage))
    }
    try ZipWriter.write(entries, to: path)
    return layers
  }

  /// An archive of layers without weights; the file of weights is the fixture's.
  static func weightless(_ config: String, to path: String) throws -> String {
    let file = try MappedFile(path: MLCProcess.fixture("lstm.keras"))
    let archive = try ZipReader(file.storage)
    var entries: [(name: String, storage: Storage)] = []
    for entry in try archive.entries() {
      entries.append((entry.name, entry.name == "config.json" ? bytes(Data(config.utf8)) : try archive.unpack(entry)))
    }
    try ZipWriter.write(entries, to: path)
    return path
  }

  private static func rename(_ model: inout [String: Any], _ names: inout NameSource) -> [String] {
    guard var config = model["config"] as? [String: Any], let layers = config["layers"] as? [[String: Any]] else {
      return []
    }
    var given: [String] = []
    config["name"] = names.all()
    config["layers"] = layers.map { layer in
      var (layer, settings) = (layer, layer["config"] as? [String: Any] ?? [:])
      let name = names.all()
      settings["name"] = name
      layer["config"] = settings
      if layer["class_name"] as? String != "InputLayer" { given.append(name) }
      return layer
    }
    model["config"] = config
    return given
  }

  /// The file of the fixtures: names of a layer and of its weights, of the same length, as they stand in groups,
  /// datasets and attributes.
  static func hdf5(_ path: String, hostile: Bool) throws -> [String] {
    var data = try Data(contentsOf: URL(filePath: MLCProcess.fixture("dense.h5")))
    guard hostile else {
      try data.write(to: URL(filePath: path))
      return ["dense_2"]
    }
    // JSON, where the layer's name stands too, holds no control character as it is; groups are in the order of their
    // names.
    let layer = "dens\u{202e}"
    for (old, new) in [("dense_2", layer), ("kernel:0", "k\u{1b}[31m\rx")] {
      let new = Data(new.utf8)
      try #require(new.count == old.utf8.count)
      while let range = data.firstRange(of: Data(old.utf8)) { data.replaceSubrange(range, with: new) }
    }
    try data.write(to: URL(filePath: path))
    return [layer]
  }

  private static func bytes(_ data: Data) -> Storage { Storage(byteCount: data.count) { $0.copyBytes(from: data) } }
}
