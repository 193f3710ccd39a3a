import ArgumentParser
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCImportKeras
import MLCImportONNX

/// The formats of source models. Adding one is a case, and its line in each switch.
enum SourceFormat: CaseIterable {
  case onnx, keras, coreML

  /// `a Keras model (.keras, .h5, .hdf5)`
  var name: String {
    let noun =
      switch self {
      case .onnx: "an ONNX model"
      case .keras: "a Keras model"
      case .coreML: "a Core ML model"
      }
    return "\(noun) (\(suffixes.map { ".\($0)" }.joined(separator: ", ")))"
  }

  /// What help says of an argument that is a source model.
  static var argumentHelp: ArgumentHelp {
    let all = allCases.flatMap { $0.suffixes }.map { ".\($0)" }
    return "A source model: \(all.dropLast().joined(separator: ", ")) or \(all[all.count - 1])."
  }

  /// Of a file or folder's name; the first is the usual one.
  var suffixes: [String] {
    switch self {
    case .onnx: ["onnx"]
    case .keras: ["keras", "h5", "hdf5"]
    case .coreML: ["mlpackage", "mlmodel"]
    }
  }

  /// Whether a file of this name is HDF5.
  static func isHDF5(_ path: String) -> Bool {
    ["h5", "hdf5"].contains(URL(filePath: path).pathExtension.lowercased())
  }

  /// What a model learns where it runs are parameters where `updatable`, and constants else.
  func read(
    _ path: String,
    bindings: [String: TensorType],
    custom: CustomLayers,
    updatable: Bool,
    budget: Budget
  ) throws(Diagnostic) -> Program {
    switch self {
    case .onnx: return try ONNXImporter.read(path, bindings: bindings, budget: budget)
    case .keras: return try KerasImporter.read(path, bindings: bindings)
    case .coreML: return try CoreMLPackage.read(path, custom: custom, updatable: updatable).bound(to: bindings)
    }
  }
}

/// What stands at a path that the user names.
enum PathKind: Equatable {
  case source(SourceFormat)
  /// A compiled package of mlc's.
  case compiled
  /// Any other file.
  case other

  /// Folders are told by what they hold, files by their name. Throws `file.missing`.
  init(_ path: String) throws(Diagnostic) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Diagnostic("file.missing", "there is no file or folder '\(path)'")
    }
    let suffix = URL(filePath: path).pathExtension.lowercased()
    if isFolder.boolValue {
      if FileManager.default.fileExists(atPath: "\(path)/manifest.json") || suffix == "mlmodelc" {
        self = .compiled
      } else if SourceFormat.coreML.suffixes.contains(suffix)
        || FileManager.default.fileExists(atPath: "\(path)/Manifest.json")
      {
        self = .source(.coreML)
      } else {
        self = .other
      }
    } else {
      let format = SourceFormat.allCases.first { $0.suffixes.contains(suffix) }
      self = format.map { .source($0) } ?? .other
    }
  }
}
