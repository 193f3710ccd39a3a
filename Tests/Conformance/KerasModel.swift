import Foundation
import MLCCore
import MLCGraph
import MLCHDF5
import MLCImportKeras
import MLCTensorIO
import TestSupport

/// A model of the Keras corpus, `Tests/Corpora/keras/models.zip`, with what Keras answered. `MLC_KERAS_MODELS` names
/// another folder of such models.
struct KerasModel: Sendable {
  /// `k2/lstm`: which dialect wrote it, and its name.
  var name: String
  var folder: String

  static let archive = Corpus.testFolder.deletingLastPathComponent().appending(path: "Corpora/keras/models.zip").path()
  /// The command that reads HDF5.
  static let helper: HDF5Helper = {
    let root = Corpus.testFolder.deletingLastPathComponent().deletingLastPathComponent()
    #if DEBUG
      return HDF5Helper(executable: root.appending(path: ".build/debug/mlc").path())
    #else
      return HDF5Helper(executable: root.appending(path: ".build/release/mlc").path())
    #endif
  }()

  /// Every model in `folder`, which has a folder for each dialect.
  static func all(in folder: String) -> [KerasModel] {
    ["k2", "k3"].flatMap { dialect in
      Corpus.names("\(folder)/\(dialect)").filter { $0.hasSuffix(".npz") }.map {
        KerasModel(name: "\(dialect)/\($0.dropLast(4))", folder: folder)
      }
    }
  }

  /// Unpacks the corpus to `folder`.
  static func unpack(to folder: URL) throws {
    try ZipReader(try MappedFile(path: archive).storage, format: "keras").unpack(to: folder)
  }

  func function(_ suffix: String) throws(Diagnostic) -> Function {
    try KerasImporter.read("\(folder)/\(name).\(suffix)", helper: Self.helper).main
  }

  /// The tensors `in_0` … or `out_0` … of the record.
  func tensors(_ kind: String) throws(Diagnostic) -> [Tensor] {
    let record = Dictionary(
      uniqueKeysWithValues: try NPZ.read("\(folder)/\(name).npz").map { ($0.name, $0.tensor) }
    )
    var tensors: [Tensor] = []
    while let next = record["\(kind)_\(tensors.count)"] { tensors.append(next) }
    return tensors
  }
}
