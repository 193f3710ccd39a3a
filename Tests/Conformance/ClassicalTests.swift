import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCFormatCoreML
import MLCGraph
import MLCKernels
import MLCRuntime
import MLCTargetC
import MLCTensorIO
import TestSupport
import Testing

/// Core ML models that are no networks on the interpreter and on a level of this CPU, against what scikit-learn and
/// xgboost answer, or numpy by the documented formulas (`Tests/Corpora/coreml/make_classical.py`).
@Suite(.serialized) struct ClassicalTests {
  @Test func everyExecutorAgrees() throws {
    let folder = try ClassicalArchive.unpacked()
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = ClassicalArchive.names(folder)
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
    let folder = try ClassicalArchive.unpacked()
    defer { try? FileManager.default.removeItem(at: folder) }
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var (refused, files) = (0, 0)
    let names = ClassicalArchive.names(folder)
    func kind(_ name: String) -> Substring { name.prefix { $0 != "_" } }
    let members = Dictionary(grouping: names, by: kind).mapValues(\.count)
    let damaged = folder.appending(path: "damaged.mlmodel")
    for name in names {
      let whole = try Data(contentsOf: folder.appending(path: "\(name).mlmodel"))
      for _ in 0..<500 / (members[kind(name)] ?? 1) {
        var bytes = whole
        for _ in 0...next(3) { bytes[next(bytes.count)] ^= UInt8(1 << next(8)) }
        try bytes.write(to: damaged)
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
    let loaded = try compiled(program, device)
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

  private func compiled(_ program: Program, _ device: String) throws(Diagnostic) -> Model {
    var options = CompileOptions()
    options.targets = [device]
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-classical-\(UUID()).mlmodelc").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Compiler(options, targets: [CTarget.self]).compile(program, to: path)
    var wanted = Model.Options()
    wanted.device = device
    return try Model.load(path: path, drivers: [try CPUDriver(threads: 2)], options: wanted)
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

enum ClassicalArchive {
  static func names(_ folder: URL) -> [String] {
    Corpus.names(folder.path()).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  static func unpacked() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-classical-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = Corpus.testFolder.deletingLastPathComponent().appending(path: "Corpora/coreml/classical.zip").path()
    let archive = try ZipReader(try MappedFile(path: path).storage, format: "npz")
    for entry in try archive.entries() {
      let storage = try archive.unpack(entry)
      try withExtendedLifetime(storage) { try Data(storage.bytes).write(to: folder.appending(path: entry.name)) }
    }
    return folder
  }
}
