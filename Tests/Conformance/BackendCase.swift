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
      let (function, inputs) = try imported()
      try function.verify()
      let run = try AuditedRun(function, inputs)
      if let broken = run.broken.first { return .failed(broken) }
      return mismatch(run.outputs, try tensors("output")).map { .failed($0) } ?? .passed
    } catch {
      let notes = error.notes.isEmpty ? "" : ": " + error.notes.joined(separator: "; ")
      return error.kind == .unsupported
        ? .unsupported("\(error.id.rawValue): \(error.message)\(notes)") : .failed("\(error)")
    }
  }

  /// The function and what to run it on. Where mlc needs a parameter (axes, pads, …) to be a constant, which these
  /// tests give as an input, every number, every list of integers and every truth value becomes a constant.
  func imported(_ change: (inout ONNXModel) -> Void = { _ in }) throws(Diagnostic) -> (Function, [Tensor]) {
    let path = "\(folder)/model.onnx"
    var model = try ONNXReader.read(path)
    change(&model)
    let importer = ONNXImporter(file: path)
    let function: Function
    do throws(Diagnostic) { function = try importer.program(model).main } catch {
      guard error.id == "onnx.not-constant" else { throw error }
      var rest: [Tensor] = []
      for (info, tensor) in zip(model.graph.requiredInputs, try tensors("input")) {
        guard tensor.rank == 0 || !tensor.dtype.isFloat, tensor.rank <= 1 || tensor.dtype == .bool else {
          rest.append(tensor)
          continue
        }
        model.graph.initializers[info.name] = tensor
        model.graph.initializerNames.append(info.name)
      }
      return (try importer.program(model).main, rest)
    }
    return (function, try tensors("input"))
  }

  func tensors(_ prefix: String) throws(Diagnostic) -> [Tensor] {
    var tensors: [Tensor] = []
    while case let path = "\(folder)/test_data_set_0/\(prefix)_\(tensors.count).pb", Corpus.exists(path) {
      tensors.append(try ONNXTensorFile.read(path).tensor)
    }
    return tensors
  }

  /// Relative; two units in the last place of narrow types.
  private static func tolerance(_ dtype: DType) -> Double {
    switch dtype {
    case .bfloat16: 0x1p-6
    case .float16: 0x1p-9
    default: 1e-3
    }
  }

  func mismatch(_ results: [Tensor], _ expected: [Tensor]) -> String? {
    guard results.count == expected.count else { return "\(results.count) outputs, expected \(expected.count)" }
    for (index, pair) in zip(results, expected).enumerated() {
      let rtol = Self.tolerance(pair.1.dtype)
      if let problem = disagreement(pair.0, pair.1, rtol: rtol, atol: 1e-5) { return "output \(index) \(problem)" }
    }
    return nil
  }
}
