import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCImportONNX
import MLCOps
import MLCPasses
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
    var parseError: String?
    var predicted: [String]?
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// A Python that has coremltools: `MLC_PYTHON`, or the repository's `.venv`.
  static var python: String? {
    let candidates = [ProcessInfo.processInfo.environment["MLC_PYTHON"], "\(root)/.venv/bin/python"]
    return candidates.compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The same; fails the test that asks where there is none.
  static func requirePython(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let advice = "no Python with coremltools: 'make corpora' installs one in .venv, or set MLC_PYTHON"
    return try #require(python, "\(advice)", sourceLocation: sourceLocation)
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
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try lines.map { try decoder.decode(Answer.self, from: Data($0.dropFirst(7).utf8)) }
  }

  @Test func loadsAndParses() throws {
    let python = try Self.requirePython()
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
    for path in try Self.realModels() {
      guard var program = try? ONNXImporter.read(path) else { continue }
      try PassPipeline([]).run(&program.main)
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      // Weights of 4 bits came with iOS 18.
      let target = name == "packed_decoder" ? CoreMLWriteOptions.DeploymentTarget.iOS18 : .iOS17
      try add(name, program, target, parses: Self.isFixed(program) && !Self.refused.contains(name))
    }
    let answers = try ask(python, expected.map(\.path))
    #expect(answers.count == expected.count)
    for (answer, (path, outputs, parses)) in zip(answers, expected) {
      #expect(answer.error == nil, "\(path): \(answer.error ?? "")")
      #expect(answer.outputs?.count == outputs.count)
      if parses { #expect(answer.parsed != nil, "\(path) was not parsed: \(answer.parseError ?? "")") }
    }
  }

  @Test func loadsWhatIsKept() throws {
    let python = try Self.requirePython()
    let scratch = try Scratch()
    let path = scratch.file("l.mlpackage")
    let kept = try #require(try KeptModel(ImportTests.fixture("linear.mlmodel")))
    _ = try CoreMLPackage.write(pipeline: [CoreMLPart("linear", kept)], to: path)
    let answers = try ask(python, [path])
    #expect(answers.map(\.error) == [nil] && answers.map(\.outputs) == [["y"]] && answers.map(\.version) == [1])
    #expect(answers.map(\.predicted) == [["y", ""]])
  }

  /// A classifier, functions beside each other, and a pipeline that ends with a classifier.
  @Test func loadsAndParsesWhatIsMore() throws {
    let python = try Self.requirePython()
    let scratch = try Scratch()
    let classifier = try CoreMLPackage.read(ImportTests.fixture("mil_cnn_image.mlpackage"))
    var both = try convolutionalNet()
    both.functions.append(both.main)
    both.functions[1].name = "again"
    let first = try program { builder in
      let x = builder.input("picture", TensorType(.float32, [1, 3, 32, 32]))
      return [("x", try builder(Relu(), x, name: "x"))]
    }
    var second = classifier
    second.main.features.inputs = []
    let paths = ["classifier", "both", "pipeline"].map { scratch.file("\($0).mlpackage") }
    _ = try CoreMLPackage.write(classifier, to: paths[0])
    _ = try CoreMLPackage.write(both, to: paths[1])
    let parts = [CoreMLPart("first", first), CoreMLPart("second", second)]
    _ = try CoreMLPackage.write(pipeline: parts, to: paths[2])
    let again = scratch.file("again.mlpackage")
    _ = try CoreMLPackage.write(pipeline: parts, to: again)
    for file in ["Manifest.json", "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/1-weight.bin"] {
      #expect(FileManager.default.contentsEqual(atPath: "\(paths[2])/\(file)", andPath: "\(again)/\(file)"), "\(file)")
    }
    // coremltools writes the manifest of what it loads anew.
    let answers = try ask(python, paths)
    #expect(answers.map(\.error) == [nil, nil, nil])
    #expect(answers.allSatisfy { $0.parsed != nil }, "\(answers.compactMap(\.parseError))")
    #expect(answers.map(\.predicted?.first) == ["classLabel", "", "classLabel"])
    #expect(answers[1].parsed?.keys.sorted() == ["again", "main"] && answers[2].inputs == ["picture"])
    #expect(answers[2].outputs == ["classLabel", "classLabel_probs"])
  }

  /// Those of `.cache` of which coremltools holds all weights at once.
  private static func realModels() throws -> [String] {
    let files = ["models", "zoo"].flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/.cache/\(folder)").sorted()) ?? []
      return names.filter { $0.hasSuffix(".onnx") }.map { "\(root)/.cache/\(folder)/\($0)" }
    }
    let large = ["bert_base_qa_128", "gpt2_decode_256", "vit_b_16", "colorizer_eccv16", "resnet50"]
    try #require(files.count > large.count, "no models in .cache: run 'make corpora'")
    return files.filter { file in !large.contains { file.hasSuffix("\($0).onnx") } }
  }

  /// What Apple's loader refuses, which `convert` says: operators that Core ML lacks.
  private static let refused: Set<String> = ["nsnet2", "silero-vad-if"]

  /// coremltools infers other names for sizes that stay open, and refuses that as a mismatch.
  private static func isFixed(_ program: Program) -> Bool {
    program.main.values.allSatisfy { $0.fact.type.staticShape != nil }
  }
}
