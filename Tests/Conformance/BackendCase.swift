import Foundation
import MLCCore
import MLCGraph
import MLCImportONNX
import TestSupport

/// One of ONNX' backend tests: a model, inputs, and the outputs that it should give.
struct BackendCase: Sendable {
  /// `node/test_abs`.
  var name: String
  /// Where its folder is.
  var root = Corpus.cases

  enum Outcome: Sendable {
    case passed
    /// The importer says that it does not take the model: an operator, an operator set or a type that mlc lacks.
    case unsupported(String)
    case failed(String)
  }

  static var all: [BackendCase] { all(in: Corpus.cases) }

  static func all(in root: String) -> [BackendCase] {
    ["light", "node", "pytorch-converted", "pytorch-operator", "simple"].flatMap { kind in
      Corpus.names("\(root)/\(kind)").map { BackendCase(name: "\(kind)/\($0)", root: root) }
    }
  }

  private var folder: String { "\(root)/\(name)" }

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
    let importer = ONNXImporter(file: path, bindings: ONNXValueFile.bindings(values))
    for vectors in [nil, false, true] as [Bool?] {
      if let vectors { model.graph.fixParameters(values, vectors: vectors) }
      do throws(Diagnostic) {
        let function = try importer.program(model).main
        let rest = values.filter { model.graph.initializers[$0.info.name] == nil }
        let inputs = try tensors(rest, function.inputs.map { (function[$0].name, function.type($0)) })
        return (function, zip(inputs, function.inputs).map { Self.read($0, as: function.type($1).dtype) })
      } catch {
        guard error.id == "onnx.not-constant", vectors != true else { throw error }
      }
    }
    preconditionFailure("the last try returns or throws")
  }

  private func values(_ stem: String, _ infos: [ONNXValueInfo]) throws(Diagnostic) -> [ONNXValueFile.Named] {
    try ONNXValueFile.values("\(folder)/test_data_set_0", stem, infos)
  }

  private func tensors(_ values: [ONNXValueFile.Named], _ ports: [(name: String, type: TensorType)])
    throws(Diagnostic) -> [Tensor]
  {
    let tensors = try ONNXValueFile.tensors(of: values, ports: ports)
    guard tensors.allSatisfy({ $0 != nil }) else { throw Diagnostic("test.values", "a file is missing in \(folder)") }
    return tensors.compactMap { $0 }
  }

  /// What the outputs of `function` should be.
  func expected(_ function: Function) throws(Diagnostic) -> [Tensor] {
    let infos = try ONNXReader.read("\(folder)/model.onnx").graph.outputs
    let ports = zip(function.outputNames, function.outputs).map { ($0, function.type($1)) }
    return try tensors(try values("output", infos), ports)
  }

  /// `tensor` where `type` is wanted: early packages wrote bfloat16 as the numbers of its bits.
  private static func read(_ tensor: Tensor, as dtype: DType) -> Tensor {
    tensor.dtype == .uint16 && dtype == .bfloat16 ? tensor.reinterpreted(as: dtype) : tensor
  }

  /// Relative; two units in the last place of narrow types.
  private static func tolerance(_ dtype: DType) -> Double {
    switch dtype {
    case .bfloat16: 0x1p-6
    case .float16: 0x1p-9
    default: 1e-3
    }
  }

  /// What the case's `data.json` allows; some have none.
  private struct Allowed: Decodable {
    var rtol: Double?, atol: Double?
  }

  func mismatch(_ results: [Tensor], _ expected: [Tensor]) -> String? {
    let data = FileManager.default.contents(atPath: "\(folder)/data.json")
    let allowed = data.flatMap { try? JSONDecoder().decode(Allowed.self, from: $0) }
    guard results.count == expected.count else { return "\(results.count) outputs, expected \(expected.count)" }
    let expected = zip(expected, results).map { Self.read($0, as: $1.dtype) }
    for (index, pair) in zip(results, expected).enumerated() {
      let (rtol, atol) = (max(Self.tolerance(pair.1.dtype), allowed?.rtol ?? 0), max(1e-5, allowed?.atol ?? 0))
      if let problem = disagreement(pair.0, pair.1, rtol: rtol, atol: atol) { return "output \(index) \(problem)" }
    }
    return nil
  }
}
