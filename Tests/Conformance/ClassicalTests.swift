import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import MLCKernels
import MLCPasses
import MLCTensorIO
import TestSupport
import Testing

/// Models of ONNX' domain of classical models on the interpreter and on the levels of this CPU, which take turns,
/// against what onnxruntime answers (`Tests/Corpora/classical/make_models.py`).
@Suite(.serialized) struct ClassicalTests {
  private struct Item {
    var name: String
    var function: Function
    var inputs: [Tensor], answers: [Tensor]
  }

  @Test func everyExecutorAgrees() throws {
    let folder = try Self.unpacked()
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = Corpus.names(folder.path()).filter { $0.hasSuffix(".npz") }.map { String($0.dropLast(4)) }
    var (items, problems): ([Item], [String]) = ([], [])
    for name in names {
      do throws(Diagnostic) {
        let item = try read(name, folder)
        let run = try AuditedRun(item.function, item.inputs)
        problems += run.broken.prefix(4).map { "\(name): \($0)" }
        problems += compare(run.outputs, item.answers).map { "\(name): \($0)" }
        items.append(item)
      } catch {
        problems.append("\(name): \(error)")
      }
    }
    for (place, device) in DeviceSet.here.enumerated() {
      problems += try compiled(Turns.cases(items, on: place, of: DeviceSet.here.count), device)
    }
    #expect(problems.isEmpty, "\(problems.count) problems:\n\(problems.joined(separator: "\n"))")
    #expect(names.count >= 162)
  }

  private func read(_ name: String, _ folder: URL) throws(Diagnostic) -> Item {
    var record: [String: Tensor] = [:]
    for entry in try NPZ.read(folder.appending(path: "\(name).npz").path()) { record[entry.name] = entry.tensor }
    func tensors(_ kind: String) -> [Tensor] {
      var tensors: [Tensor] = []
      while let next = record["\(kind)_\(tensors.count)"] { tensors.append(next) }
      return tensors
    }
    let function = try ONNXImporter.read(folder.appending(path: "\(name).onnx").path()).main
    try function.verify()
    return Item(name: name, function: function, inputs: tensors("in"), answers: tensors("out"))
  }

  private func compiled(_ items: [Item], _ device: DeviceDescription) throws -> [String] {
    let runner = try CompiledRunner(device)
    return runner.inParts(items, of: 20, name: \.name) { (part) throws(Diagnostic) in
      var batch = FunctionBatch()
      for item in part {
        var function = item.function
        try PassPipeline.standard.run(&function)
        try batch.append(function, [item.inputs])
      }
      let results = batch.divided(try runner.run(batch.function(), batch.runs)[0])
      return zip(part, results).flatMap { item, outputs in
        compare(outputs, item.answers).map { "\(item.name) on \(device.name): \($0)" }
      }
    }
  }

  private func compare(_ results: [Tensor], _ answers: [Tensor]) -> [String] {
    guard results.count == answers.count else { return ["\(results.count) outputs, not \(answers.count)"] }
    return zip(results, answers).enumerated().compactMap { index, pair in
      disagreement(pair.0, pair.1, rtol: 1e-5, atol: 1e-5).map { "output \(index) \($0)" }
    }
  }

  private static func unpacked() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-classical-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = Corpus.testFolder.deletingLastPathComponent().appending(path: "Corpora/classical/classical.zip").path()
    let archive = try ZipReader(try MappedFile(path: path).storage, format: "npz")
    for entry in try archive.entries() {
      let storage = try archive.unpack(entry)
      try withExtendedLifetime(storage) { try Data(storage.bytes).write(to: folder.appending(path: entry.name)) }
    }
    return folder
  }
}
