import MLCCore
import MLCGraph
import MLCImportONNX
import TestSupport

/// One of ONNX' backend tests: a model, inputs, and the outputs that it should give.
struct BackendCase: Sendable {
  /// `node/test_abs`.
  var name: String

  enum Outcome: Sendable {
    case passed
    /// The importer says that it does not take the model: an operator, an operator set or a type that mlc lacks.
    case unsupported(String)
    case failed(String)
  }

  static var all: [BackendCase] {
    ["light", "node", "pytorch-converted", "pytorch-operator", "simple"].flatMap { kind in
      Corpus.names("\(Corpus.cases)/\(kind)").map { BackendCase(name: "\(kind)/\($0)") }
    }
  }

  private var folder: String { "\(Corpus.cases)/\(name)" }

  /// The operator under test: the type of the only node, or `several`.
  func subject() -> String {
    guard let model = try? ONNXReader.read("\(folder)/model.onnx") else { return "unreadable" }
    return model.graph.nodes.count == 1 ? model.graph.nodes[0].opType : "several"
  }

  /// Imports, verifies, interprets the first data set and compares.
  func play() -> Outcome {
    do throws(Diagnostic) {
      let function = try ONNXImporter.read("\(folder)/model.onnx").main
      try function.verify()
      let run = try AuditedRun(function, try tensors("input"))
      if let broken = run.broken.first { return .failed(broken) }
      return mismatch(run.outputs, try tensors("output")).map { .failed($0) } ?? .passed
    } catch {
      let notes = error.notes.isEmpty ? "" : ": " + error.notes.joined(separator: "; ")
      return error.kind == .unsupported
        ? .unsupported("\(error.id.rawValue): \(error.message)\(notes)") : .failed("\(error)")
    }
  }

  private func tensors(_ prefix: String) throws(Diagnostic) -> [Tensor] {
    var tensors: [Tensor] = []
    while case let path = "\(folder)/test_data_set_0/\(prefix)_\(tensors.count).pb", Corpus.exists(path) {
      tensors.append(try ONNXTensorFile.read(path).tensor)
    }
    return tensors
  }

  private func mismatch(_ results: [Tensor], _ expected: [Tensor]) -> String? {
    guard results.count == expected.count else { return "\(results.count) outputs, expected \(expected.count)" }
    for (index, pair) in zip(results, expected).enumerated() {
      let rtol = pair.1.dtype == .bfloat16 ? 0x1p-6 : 1e-3
      if let problem = disagreement(pair.0, pair.1, rtol: rtol, atol: 1e-5) { return "output \(index) \(problem)" }
    }
    return nil
  }
}
