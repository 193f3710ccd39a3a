import Foundation
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCTensorIO
import Testing

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

  /// Those whose graphs `Tests/Corpora/zoo` has and those that `models.json` lists; each with recorded answers.
  static func requireAll(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let corpora = Corpus.testFolder.deletingLastPathComponent().appending(path: "Corpora")
    let listed = try JSONDecoder().decode([Listed].self, from: Data(contentsOf: corpora.appending(path: "models.json")))
    let graphs = Corpus.names(corpora.appending(path: "zoo").path()).filter { $0.hasSuffix(".onnx") }
    let names = listed.filter { $0.path.hasSuffix(".onnx") }.map { $0.name } + graphs.map { String($0.dropLast(5)) }
    let there = Set(all.filter { !$0.caseNames.isEmpty }.map { $0.name })
    let missing = names.filter { !there.contains($0) }
    try #require(
      !names.isEmpty && missing.isEmpty,
      "\(missing) have no recorded answers in \(Corpus.golden): run 'make corpora'",
      sourceLocation: sourceLocation
    )
  }
  private struct Listed: Decodable {
    var name: String, path: String
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
