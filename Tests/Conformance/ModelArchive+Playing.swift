import Foundation
import MLCCompiler
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCKernels
import MLCRuntime
import MLCTensorIO
import TestSupport

/// Archives whose models have their inputs and answers in `NAME.npz`.
extension ModelArchive {
  /// A model that was read, as a function of its own name.
  private struct Item {
    let name: String, function: Function, inputs: [Tensor], answers: [Tensor]
  }

  /// What is wrong with each model on the interpreter and, compiled, on the levels of this CPU. Models are functions of
  /// packages of `count`, which take the levels in turn.
  func problems(perPackage count: Int = 24) -> [String] {
    var (problems, items): ([String], [Item]) = ([], [])
    for name in names(with: ".npz") {
      do throws(Diagnostic) {
        let item = try item(name)
        try item.function.verify()
        let run = try AuditedRun(item.function, item.inputs)
        problems += run.broken.prefix(4).map { "\(name): \($0)" }
        problems += compare(run.outputs, item.answers, "the interpreter").map { "\(name): \($0)" }
        items.append(item)
      } catch {
        problems.append("\(name): \(error)")
      }
    }
    for (number, start) in stride(from: 0, to: items.count, by: count).enumerated() {
      let device = DeviceSet.here[number % DeviceSet.here.count].name
      problems += compiled(Array(items[start..<min(start + count, items.count)]), device)
    }
    return problems
  }

  private func item(_ name: String) throws(Diagnostic) -> Item {
    var record: [String: Tensor] = [:]
    for entry in try NPZ.read(folder.appending(path: "\(name).npz").path()) { record[entry.name] = entry.tensor }
    var function = try CoreMLPackage.read(model(name).path()).main
    function.name = name
    return Item(name: name, function: function, inputs: tensors("in", record), answers: tensors("out", record))
  }

  private func tensors(_ kind: String, _ record: [String: Tensor]) -> [Tensor] {
    var tensors: [Tensor] = []
    while let next = record["\(kind)_\(tensors.count)"] { tensors.append(next) }
    return tensors
  }

  /// What is wrong with models in one package; where they have none together, of each in its own.
  private func compiled(_ items: [Item], _ device: String) -> [String] {
    let package: CompiledPackage
    do throws(Diagnostic) {
      package = try CompiledPackage(Program(items.map { $0.function }), for: [device])
    } catch {
      if items.count > 1 { return items.flatMap { compiled([$0], device) } }
      return items.map { "\($0.name) on \(device): \(error)" }
    }
    return items.flatMap { item -> [String] in
      do throws(Diagnostic) {
        let results = try package.model(on: device, function: item.name).predict(item.inputs)
        return compare(results, item.answers, device).map { "\(item.name): \($0)" }
      } catch {
        return ["\(item.name) on \(device): \(error)"]
      }
    }
  }

  private func compare(_ results: [Tensor], _ answers: [Tensor], _ place: String) -> [String] {
    guard results.count == answers.count else { return ["\(place): \(results.count) outputs, not \(answers.count)"] }
    return zip(results, answers).enumerated().compactMap { index, pair in
      disagreement(pair.0, pair.1, rtol: 1e-4, atol: 1e-5).map { "\(place): output \(index) \($0)" }
    }
  }
}
