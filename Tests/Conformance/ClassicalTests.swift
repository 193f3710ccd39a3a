import Foundation
import MLCCompiler
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCKernels
import MLCRuntime
import TestSupport
import Testing

/// Core ML models that are no networks on the interpreter and on a level of this CPU, against what scikit-learn and
/// xgboost answer, or numpy by the documented formulas (`Tests/Corpora/coreml/make_classical.py`).
@Suite(.serialized) struct ClassicalTests {
  @Test func everyExecutorAgrees() throws {
    let archive = try ModelArchive("classical.zip")
    defer { withExtendedLifetime(archive) {} }
    let (folder, names) = (archive.folder, archive.names(with: ".json"))
    var problems: [String] = []
    for (number, name) in names.enumerated() {
      let device = DeviceSet.here[number % DeviceSet.here.count].name
      do {
        problems += try play(folder.appending(path: name).path(), device).map { "\(name): \($0)" }
      } catch {
        problems.append("\(name): \(error)")
      }
    }
    print("\(names.count) classical Core ML models, \(problems.count) problems")
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(names.count >= 75)
  }

  /// Flipped bits give a program or a diagnostic, never anything else.
  @Test func damagedModelsAreReadOrRefused() throws {
    let archive = try ModelArchive("classical.zip")
    defer { withExtendedLifetime(archive) {} }
    let (folder, names) = (archive.folder, archive.names(with: ".json"))
    var bits = FlippedBits()
    var (refused, files) = (0, 0)
    func kind(_ name: String) -> Substring { name.prefix { $0 != "_" } }
    let members = Dictionary(grouping: names, by: kind).mapValues(\.count)
    let damaged = folder.appending(path: "damaged.mlmodel")
    for name in names {
      let whole = try Data(contentsOf: folder.appending(path: "\(name).mlmodel"))
      for _ in 0..<FlippedBits.count / (members[kind(name)] ?? 1) {
        try bits.copy(of: whole).write(to: damaged)
        files += 1
        do throws(Diagnostic) { _ = try CoreMLPackage.read(damaged.path()) } catch { refused += 1 }
      }
    }
    #expect(refused > files / 4, "\(refused) of \(files) were refused")
  }

  private func play(_ path: String, _ device: String) throws -> [String] {
    let program = try CoreMLPackage.read("\(path).mlmodel")
    let function = program.main
    try function.verify()
    let loaded = try CompiledPackage(program, for: [device]).model(on: device)
    let cases = try JSONDecoder().decode([ClassicalCase].self, from: Data(contentsOf: .init(filePath: "\(path).json")))
    var problems: [String] = []
    for (number, one) in cases.enumerated() {
      let inputs = try function.inputs.map { try one.inputs.tensor(function[$0].name, function.type($0).dtype) }
      let answers = try zip(function.outputNames, function.outputs).map {
        try one.outputs.tensor($0, function.type($1).dtype)
      }
      let run = try AuditedRun(function, inputs)
      problems += run.broken.prefix(2).map { "case \(number): \($0)" }
      problems += compare(run.outputs, answers, "case \(number), the interpreter")
      problems += compare(try loaded.predict(inputs), answers, "case \(number), \(device)")
    }
    return problems + (cases.isEmpty ? ["there are no cases"] : [])
  }

  private func compare(_ results: [Tensor], _ answers: [Tensor], _ place: String) -> [String] {
    guard results.count == answers.count else { return ["\(place): \(results.count) outputs, not \(answers.count)"] }
    return zip(results, answers).enumerated().compactMap { index, pair in
      disagreement(pair.0, pair.1, rtol: 1e-5, atol: 1e-6).map { "\(place): output \(index) \($0)" }
    }
  }
}

/// What a model is given, and what it answers, by port.
private struct ClassicalCase: Decodable {
  let inputs: [String: Port], outputs: [String: Port]

  struct Port: Decodable {
    let shape: [Int], values: [Value]
  }

  enum Value: Decodable {
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    var text: String { if case .text(let text) = self { text } else { "" } }
    var number: Double {
      switch self {
      case .number(let number): number
      case .text(let text): Double(text) ?? 0
      }
    }
  }
}

extension [String: ClassicalCase.Port] {
  fileprivate func tensor(_ name: String, _ dtype: DType) throws -> Tensor {
    let port = try #require(self[name], "there is no port '\(name)'")
    if dtype == .string { return Tensor(port.shape, strings: port.values.map(\.text)) }
    return Tensor(dtype, port.shape, port.values.map(\.number))
  }
}
