import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCKernels
import MLCTensorIO
import TestSupport
import Testing

/// Quantised models on the interpreter and as generated code, against what ONNX Runtime answered: `make corpora` writes
/// them.
///
/// The tolerance is one quantum, the step between neighbouring numbers of an output. A sum that lies on a tie but for
/// the last bit of a float is rounded up by one order of summation and down by another, and both are right; so a result
/// may be the neighbour. That is rare, and a mistake in rounding is not: no more than a few numbers may differ at all.
@Suite struct QuantisedModelTests {
  private struct Item {
    var name: String
    var function: Function
    var inputs: [Tensor], answers: [Tensor]
    /// By output.
    var quanta: [Double]

    init(_ name: String) throws(Diagnostic) {
      self.name = name
      function = try ONNXImporter.read("\(folder)/\(name).onnx").main
      let tensors = Dictionary(uniqueKeysWithValues: try NPZ.read("\(folder)/\(name).npz").map { ($0.name, $0.tensor) })
      inputs = function.inputs.compactMap { [function] in tensors[function[$0].name] }
      answers = function.outputNames.compactMap { tensors[$0] }
      quanta = function.outputNames.compactMap { tensors["\($0).quantum"]?.doubles.first }
    }

    /// Numbers further off than a quantum, and too many that are off at all.
    func problems(_ results: [Tensor]) -> [String] {
      guard results.count == answers.count, quanta.count == answers.count else {
        return ["\(results.count) outputs, not \(answers.count)"]
      }
      var (found, differing, count) = ([String](), 0, 0)
      for (index, (result, answer)) in zip(results, answers).enumerated() {
        guard result.type == answer.type else {
          found.append("output \(index) is \(result.type), not \(answer.type)")
          continue
        }
        let distances = zip(result.doubles, answer.doubles).map { abs($0 - $1) / quanta[index] }
        if let far = distances.first(where: { !($0 <= 1.001) }) { found.append("output \(index) is \(far) quanta off") }
        differing += distances.count { $0 > 0.1 }
        count += distances.count
      }
      // What a network rounds otherwise at its beginning, many of its outputs show.
      let admitted = ["operators", "decoders"].contains(name) ? count / 200 : count / 4
      if differing > admitted { found.append("\(differing) of \(count) numbers differ") }
      return found
    }
  }

  private static let folder = Corpus.folder + "/quantised"

  @Test func agree() throws {
    try Corpus.require(Self.folder + "/stamp")
    let names = Corpus.names(Self.folder).filter { $0.hasSuffix(".onnx") }.map { String($0.dropLast(5)) }
    #expect(names.count == 8)
    let items = try names.map(Item.init)
    var problems: [String] = []
    for item in items {
      try item.function.verify()
      let played = try AuditedRun(item.function, item.inputs)
      problems += (played.broken.prefix(2) + item.problems(played.outputs)).map { "\(item.name): \($0)" }
    }
    for device in DeviceSet.here {
      let runner = try CompiledRunner(device)
      var batch = FunctionBatch()
      for item in items { try batch.append(item.function, [item.inputs]) }
      let results = batch.divided(try runner.run(batch.function(), batch.runs)[0])
      for (item, outputs) in zip(items, results) {
        problems += item.problems(outputs).map { "\(item.name) on \(device.name): \($0)" }
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}
