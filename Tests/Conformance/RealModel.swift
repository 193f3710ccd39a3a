import MLCCore
import MLCGraph
import MLCImportONNX
import MLCTensorIO

/// A model of the corpora with recorded answers.
struct RealModel: Sendable {
  var name: String
  var path: String

  static var all: [RealModel] {
    Corpus.names(Corpus.golden).compactMap { name in
      let paths = ["models", "zoo"].map { "\(Corpus.folder)/\($0)/\(name).onnx" }
      return paths.first(where: Corpus.exists).map { RealModel(name: name, path: $0) }
    }
  }

  /// The case names in the folder of recorded answers.
  var caseNames: [String] {
    Corpus.names("\(Corpus.golden)/\(name)").filter { $0.hasSuffix(".inputs.npz") }.map { String($0.dropLast(11)) }
  }

  /// Whether sizes inside the model depend on the values of its inputs.
  var dataDependentSizes: Bool { Self.dataDependent.contains(name) }
  private static let dataDependent: Set<String> = []

  func function() throws(Diagnostic) -> Function { try ONNXImporter.read(path).main }

  func tensors(_ file: String) throws(Diagnostic) -> [String: Tensor] {
    Dictionary(uniqueKeysWithValues: try NPZ.read("\(Corpus.golden)/\(name)/\(file)").map { ($0.name, $0.tensor) })
  }
}
