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

/// Core ML neural networks on the interpreter and on a level of this CPU, against answers computed without mlc and
/// without Core ML (`Tests/Corpora/coreml/make_networks.py`). They take the levels in turn: what operators mean on each
/// of them the operator suite plays.
@Suite(.serialized) struct NetworkTests {
  @Test func everyExecutorAgrees() throws {
    let folder = try Self.unpacked()
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = Corpus.names(folder.path()).filter { $0.hasSuffix(".npz") }.map { String($0.dropLast(4)) }
    var problems: [String] = []
    for (number, name) in names.enumerated() {
      let device = DeviceSet.here[number % DeviceSet.here.count].name
      do throws(Diagnostic) {
        problems += try play(folder.appending(path: name).path(), device).map { "\(name): \($0)" }
      } catch {
        problems.append("\(name): \(error)")
      }
    }
    print("\(names.count) Core ML neural networks, \(problems.count) problems")
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(names.count >= 120)
  }

  /// Weights of few bits stay so.
  @Test func quantisedWeightsStayCompressed() throws {
    let folder = try Self.unpacked()
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = Corpus.names(folder.path()).filter { $0.hasSuffix(".mlmodel") && $0.hasPrefix("quantised_") }
    for name in names + ["half.mlmodel"] {
      let function = try CoreMLPackage.read(folder.appending(path: name).path()).main
      #expect(function.body.operations.contains { $0.isConstantExpression }, "\(name)")
    }
    #expect(names.count == 17)
  }

  /// Flipped bits in any layer give a program or a diagnostic, never anything else.
  @Test func damagedNetworksAreReadOrRefused() throws {
    let folder = try Self.unpacked()
    defer { try? FileManager.default.removeItem(at: folder) }
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var (refused, files) = (0, 0)
    let damaged = folder.appending(path: "damaged")
    for name in Corpus.names(folder.path()) where name.hasSuffix(".mlmodel") {
      let whole = try Data(contentsOf: folder.appending(path: name))
      for _ in 0..<200 {
        var bytes = whole
        for _ in 0...next(3) { bytes[next(bytes.count)] ^= UInt8(1 << next(8)) }
        try bytes.write(to: damaged)
        files += 1
        do throws(Diagnostic) { _ = try CoreMLPackage.read(damaged.path()) } catch { refused += 1 }
      }
    }
    #expect(refused > files / 4, "\(refused) of \(files) were refused")
  }

  private static func unpacked() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-networks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = Corpus.testFolder.deletingLastPathComponent().appending(path: "Corpora/coreml/networks.zip").path()
    let archive = try ZipReader(try MappedFile(path: path).storage, format: "npz")
    for entry in try archive.entries() {
      let storage = try archive.unpack(entry)
      try withExtendedLifetime(storage) { try Data(storage.bytes).write(to: folder.appending(path: entry.name)) }
    }
    return folder
  }

  private func play(_ path: String, _ device: String) throws(Diagnostic) -> [String] {
    var record: [String: Tensor] = [:]
    for entry in try NPZ.read("\(path).npz") { record[entry.name] = entry.tensor }
    let inputs = tensors("in", record)
    let answers = tensors("out", record)
    let program = try CoreMLPackage.read("\(path).mlmodel")
    try program.main.verify()
    let run = try AuditedRun(program.main, inputs)
    var problems = Array(run.broken.prefix(4))
    problems += compare(run.outputs, answers, "the interpreter")
    return problems + (try compiled(program, inputs, answers, device))
  }

  private func tensors(_ kind: String, _ record: [String: Tensor]) -> [Tensor] {
    var tensors: [Tensor] = []
    while let next = record["\(kind)_\(tensors.count)"] { tensors.append(next) }
    return tensors
  }

  private func compiled(
    _ program: Program,
    _ inputs: [Tensor],
    _ answers: [Tensor],
    _ device: String
  ) throws(Diagnostic) -> [String] {
    var options = CompileOptions()
    options.targets = [device]
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-network-\(UUID()).mlmodelc").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Compiler(options, targets: [CTarget.self]).compile(program, to: path)
    var wanted = Model.Options()
    wanted.device = device
    let loaded = try Model.load(path: path, drivers: [try CPUDriver(threads: 2)], options: wanted)
    return compare(try loaded.predict(inputs), answers, device)
  }

  private func compare(_ results: [Tensor], _ answers: [Tensor], _ place: String) -> [String] {
    guard results.count == answers.count else { return ["\(place): \(results.count) outputs, not \(answers.count)"] }
    return zip(results, answers).enumerated().compactMap { index, pair in
      disagreement(pair.0, pair.1, rtol: 1e-4, atol: 1e-5).map { "\(place): output \(index) \($0)" }
    }
  }
}
