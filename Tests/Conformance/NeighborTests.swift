import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCFormatCoreML
import MLCGraph
import MLCKernels
import MLCRuntime
import MLCTraining
import TestSupport
import Testing

/// Nearest neighbours that learn on the interpreter and on a level of this CPU, before and after samples are added,
/// against scikit-learn (`Tests/Corpora/coreml/make_neighbors.py`).
@Suite(.serialized) struct NeighborTests {
  @Test func everyExecutorAgrees() throws {
    let archive = try ModelArchive("neighbors.zip")
    defer { withExtendedLifetime(archive) {} }
    let names = archive.names(with: ".json")
    var problems: [String] = []
    for (number, name) in names.enumerated() {
      let device = DeviceSet.here[number % DeviceSet.here.count].name
      do {
        problems += try play(archive, name, device).map { "\(name): \($0)" }
      } catch {
        problems.append("\(name): \(error)")
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(names.count == 36)
  }

  /// Without `updatable` samples are constants, and a note says so.
  @Test func samplesAreConstantUnlessAskedFor() throws {
    let archive = try ModelArchive("neighbors.zip")
    defer { withExtendedLifetime(archive) {} }
    let path = archive.model("texts_uniform_linear_25").path()
    let (constant, updatable) = (try CoreMLPackage.read(path), try CoreMLPackage.read(path, updatable: true))
    #expect(constant.learning == nil && constant.main.parameters.isEmpty)
    #expect(constant.notes.contains { $0.contains("can be updated") })
    #expect(updatable.main.parameters.map(\.name) == ["samples", "classes", "members", "neighbors"])
    #expect(updatable.notes.isEmpty)
    #expect(updatable.main.features.classifier?.label == "label")
  }

  private func play(_ archive: ModelArchive, _ name: String, _ device: String) throws -> [String] {
    let record: NeighborRecord = try archive.record(name)
    var program = try CoreMLPackage.read(archive.model(name).path(), updatable: true)
    let source = try #require(program.learning)
    let rows = NeighborFeatures.function(source)
    program.functions.append(rows)
    for function in program.functions { try function.verify() }
    let package = try CompiledPackage(program, for: [device])
    var problems = record.problems(source.learning)
    for (number, stage) in record.stages.enumerated() {
      let parameters = stage.parameters(program.main)
      if number == 0, zip(parameters, program.main.parameters).contains(where: { !$0.isSame(as: $1.contents) }) {
        problems.append("the parameters are not the model's")
      }
      var options = Model.Options()
      options.device = device
      if number > 0 {
        options.parameters = Dictionary(uniqueKeysWithValues: zip(program.main.parameters.map(\.name), parameters))
      }
      let model = try Model.load(path: package.path, drivers: [try CPUDriver(threads: 2)], options: options)
      for (place, one) in stage.cases.enumerated() {
        let (x, answers) = (record.tensors(one.x, program.main), one.answers(program.main))
        let run = try AuditedRun(program.main, x + parameters)
        problems += run.broken.prefix(2).map { "stage \(number), case \(place): \($0)" }
        problems += compare(run.outputs, answers, "stage \(number), case \(place), the interpreter")
        problems += compare(try model.predict(x), answers, "stage \(number), case \(place), \(device)")
      }
    }
    let row = try package.model(on: device, function: rows.name)
    let last = record.stages[record.stages.count - 1]
    let x = record.tensors(Array(last.rows.prefix(record.width)), program.main)
    let wanted = Tensor(.float32, [1, 2], Array(last.samples.prefix(2)))
    return problems + compare(try row.predict(x), [wanted], "the row")
  }

  private func compare(_ results: [Tensor], _ answers: [Tensor], _ place: String) -> [String] {
    guard results.count == answers.count else { return ["\(place): \(results.count) outputs, not \(answers.count)"] }
    return zip(results, answers).enumerated().compactMap { index, pair in
      disagreement(pair.0, pair.1, rtol: 1e-9, atol: 1e-12).map { "\(place): output \(index) \($0)" }
    }
  }
}
