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
      return mismatch(run.outputs, try expected(function)).map { .failed($0) } ?? .passed
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
    let values = try values("input", model.graph.requiredInputs)
    let importer = ONNXImporter(file: path, bindings: bindings(model.graph.requiredInputs, values))
    do throws(Diagnostic) {
      let function = try importer.program(model).main
      return (function, try inputs(of: function, values))
    } catch {
      guard error.id == "onnx.not-constant" else { throw error }
      for (info, content) in values {
        guard case .tensor(let tensor) = content, tensor.rank == 0 || !tensor.dtype.isFloat,
          tensor.rank <= 1 || tensor.dtype == .bool
        else { continue }
        model.graph.initializers[info.name] = tensor
        model.graph.initializerNames.append(info.name)
      }
      let rest = values.filter { model.graph.initializers[$0.info.name] == nil }
      let function = try importer.program(model).main
      return (function, try inputs(of: function, rest))
    }
  }

  private typealias NamedValue = (info: ONNXValueInfo, content: ONNXValueFile.Content)

  /// Types of sequences whose model does not say the rank of their elements.
  private func bindings(_ infos: [ONNXValueInfo], _ values: [NamedValue]) -> [String: TensorType] {
    var bindings: [String: TensorType] = [:]
    for (info, content) in values where info.isSequence && info.type == nil {
      guard case .sequence(let elements) = content, let first = elements.first else { continue }
      bindings[info.name] = TensorType(first.dtype, first.shape.indices.map { .symbol("\(info.name)_d\($0)") })
    }
    return bindings
  }

  private func values(_ prefix: String, _ infos: [ONNXValueInfo]) throws(Diagnostic) -> [NamedValue] {
    var values: [NamedValue] = []
    for (index, info) in infos.enumerated() {
      let path = "\(folder)/test_data_set_0/\(prefix)_\(index).pb"
      values.append((info, try ONNXValueFile.read(path, as: info)))
    }
    return values
  }

  private func inputs(of function: Function, _ values: [NamedValue]) throws(Diagnostic) -> [Tensor] {
    try tensors(values, function.inputs.map { (function[$0].name, function.type($0)) })
  }

  private func tensors(_ values: [NamedValue], _ ports: [(name: String, type: TensorType)])
    throws(Diagnostic) -> [Tensor]
  {
    var (tensors, place): ([Tensor], Int) = ([], 0)
    for (info, content) in values {
      let range = info.ports(in: ports.map(\.name), from: place)
      guard let own = content.tensors(info.name, ports: Array(ports[range])) else {
        throw Diagnostic("test.ports", "'\(info.name)' does not come in \(ports[range].map(\.name))")
      }
      tensors += own
      place = range.upperBound
    }
    guard place == ports.count else { throw Diagnostic("test.ports", "\(ports[place...].map(\.name)) have no value") }
    return tensors
  }

  /// What the outputs of `function` should be.
  func expected(_ function: Function) throws(Diagnostic) -> [Tensor] {
    let infos = try ONNXReader.read("\(folder)/model.onnx").graph.outputs
    let ports = zip(function.outputNames, function.outputs).map { ($0, function.type($1)) }
    return try tensors(try values("output", infos), ports)
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
