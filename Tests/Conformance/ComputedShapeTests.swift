import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCTensorIO
import TestSupport
import Testing

/// Random graphs that compute shapes from shapes, the ways exporters write it, with open sizes: `make corpora` draws
/// them and records what ONNX Runtime answers at several sizes.
@Suite struct ComputedShapeTests {
  private struct Item {
    var name: String
    var function: Function
    /// By run: what goes in, and what ONNX Runtime answered.
    var runs: [[Tensor]], answers: [[Tensor]]
  }

  private static let folder = Corpus.folder + "/shapes"

  /// On the interpreter, where every shape is what inference promised, and as generated code.
  @Test func agree() throws {
    try Corpus.require(Self.folder + "/stamp")
    let items = try Self.items()
    #expect(items.count >= 40 && items.allSatisfy { $0.runs.count >= 4 })
    var problems: [String] = []
    for item in items {
      try item.function.verify()
      for (run, answers) in zip(item.runs, item.answers) {
        let played = try AuditedRun(item.function, run)
        problems += (played.broken.prefix(2) + Self.mismatches(played.outputs, answers)).map { "\(item.name): \($0)" }
      }
    }
    let runner = try CompiledRunner(try DeviceSet(["x86-64-v2"]).devices[0])
    problems += runner.inParts(items, of: 24, name: \.name) { (part) throws(Diagnostic) in
      var batch = FunctionBatch()
      for item in part { try batch.append(item.function, item.runs) }
      var found: [String] = []
      for (number, outputs) in try runner.run(batch.function(), batch.runs).enumerated() {
        for (item, results) in zip(part, batch.divided(outputs)) where number < item.runs.count {
          let wrong = Self.mismatches(results, item.answers[number])
          found += wrong.map { "\(item.name) as code, run \(number): \($0)" }
        }
      }
      return found
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private static func mismatches(_ results: [Tensor], _ answers: [Tensor]) -> [String] {
    if results.count != answers.count { return ["\(results.count) outputs, not \(answers.count)"] }
    return zip(results, answers).enumerated().compactMap { index, pair in
      disagreement(pair.0, pair.1, rtol: 1e-3, atol: 1e-4).map { "output \(index) \($0)" }
    }
  }

  private static func items() throws(Diagnostic) -> [Item] {
    var items: [Item] = []
    for file in Corpus.names(folder) where file.hasSuffix(".onnx") {
      let name = String(file.dropLast(5))
      let function = try ONNXImporter.read("\(folder)/\(file)").main
      var item = Item(name: name, function: function, runs: [], answers: [])
      while case let path = "\(folder)/\(name).\(item.runs.count).npz", Corpus.exists(path) {
        let tensors = Dictionary(uniqueKeysWithValues: try NPZ.read(path).map { ($0.name, $0.tensor) })
        item.runs.append(function.inputs.compactMap { tensors[function[$0].name] })
        item.answers.append(function.outputNames.compactMap { tensors[$0] })
      }
      items.append(item)
    }
    return items
  }
}
