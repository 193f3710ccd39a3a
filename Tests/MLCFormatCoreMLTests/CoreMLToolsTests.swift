import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCImportONNX
import Testing

/// coremltools loads what mlc writes, and parses it as MIL.
@Suite struct CoreMLToolsTests {
  private struct Answer: Decodable {
    var path: String
    var error: String?
    var ops: [String: Int]?
    var inputs: [String]?
    var outputs: [String]?
    var version: Int?
    var parsed: [String: [[Int]?]]?
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// A Python that has coremltools: `MLC_PYTHON`, or the repository's `.venv`.
  static var python: String? {
    let candidates = [ProcessInfo.processInfo.environment["MLC_PYTHON"], "\(root)/.venv/bin/python"]
    return candidates.compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private func ask(_ python: String, _ paths: [String]) throws -> [Answer] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["\(Self.root)/Tests/MLCFormatCoreMLTests/check_package.py"] + paths
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("RESULT ") }
    return try lines.map { try JSONDecoder().decode(Answer.self, from: Data($0.dropFirst(7).utf8)) }
  }

  @Test func loadsAndParses() throws {
    guard let python = Self.python else {
      print("skipped: no Python with coremltools; `make test` installs one in .venv, or set MLC_PYTHON")
      return
    }
    let scratch = try Scratch()
    var expected: [(path: String, outputs: [String], parses: Bool)] = []
    func add(_ name: String, _ program: Program, _ target: CoreMLWriteOptions.DeploymentTarget, parses: Bool = true)
      throws
    {
      let path = scratch.file("\(name).mlpackage")
      let report = try CoreMLPackage.write(program, to: path, options: .init(minimumDeploymentTarget: target))
      #expect(!parses || report.refusals.allSatisfy { $0.op == "input" || $0.op == "output" }, "\(report.refusals)")
      let states = Set(program.main.states.map { $0.output })
      let outputs = program.main.outputNames.enumerated().filter { !states.contains($0.offset) }.map { $0.element }
      expected.append((path, outputs, parses))
    }
    try add("state", try CoreMLPackage.read(ImportTests.fixture("mil_state.mlpackage")), .iOS18)
    for target in CoreMLWriteOptions.DeploymentTarget.allCases {
      try add("net_\(target)", try convolutionalNet(), target)
      try add("half_\(target)", try convolutionalNet(.float16), target)
    }
    try add("loop", try loopingProgram(), .iOS17, parses: false)
    for name in [
      "mil_misc_ops", "mil_while_loop", "mil_cond", "mil_gather_lstm_gru", "mil_rangedim", "torch_bilstm_f32",
    ] {
      try add(name, try CoreMLPackage.read(ImportTests.fixture("\(name).mlpackage")), .iOS17)
    }
    let models = "\(Self.root)/.cache/models"
    for file in (try? FileManager.default.subpathsOfDirectory(atPath: models).sorted()) ?? []
    where file.hasSuffix(".onnx") {
      guard let program = try? ONNXImporter.read("\(models)/\(file)") else { continue }
      try add("onnx_\(expected.count)", program, .iOS17, parses: false)
    }
    let answers = try ask(python, expected.map(\.path))
    #expect(answers.count == expected.count)
    for (answer, (path, outputs, parses)) in zip(answers, expected) {
      #expect(answer.error == nil || !parses, "\(path): \(answer.error ?? "")")
      if answer.error == nil { #expect(answer.outputs?.count == outputs.count) }
      if parses { #expect(answer.parsed != nil, "\(path) was not parsed") }
    }
  }
}
