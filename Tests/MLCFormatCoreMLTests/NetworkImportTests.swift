import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import SwiftProtobuf
import Testing

/// Neural networks: what the caller sees of them, and what is refused. Their numbers are played in `NetworkTests`.
@Suite struct NetworkImportTests {
  private func read(_ name: String) throws -> Program { try CoreMLPackage.read(ImportTests.fixture("\(name).mlmodel")) }

  private func shapes(_ program: Program) -> [String: [Dim]] {
    let main = program.main
    var result: [String: [Dim]] = [:]
    for input in main.inputs { result[main[input].name] = main.type(input).shape }
    for (name, output) in zip(main.outputNames, main.outputs) { result[name] = main.type(output).shape }
    return result
  }

  @Test func exactArraysKeepTheirShapes() throws {
    let program = try read("nn_cnn")
    #expect(shapes(program) == ["x": [1, 3, 32, 32], "prob": [1, 10]])
    #expect(program.notes.isEmpty)
    #expect(program.metadata.contains { $0.key == "com.github.apple.coremltools.version" })
    #expect(program.main.body.operations.contains { $0.origin.node == "conv_1" && $0.origin.op == "convolution" })
  }

  @Test func imagesAreArraysOfPixels() throws {
    #expect(shapes(try read("nn_cnn_image")) == ["x": [1, 3, 32, 32], "prob": [1, 10]])
  }

  @Test func enumeratedSizes() throws {
    let image = try read("nn_enumerated_image")
    #expect(shapes(image)["x"] == [1, 3, "x_d2", "x_d3"])
    #expect(image.main.bounds == ["x_d2": 8...16, "x_d3": 8...16])
    let sizes = SizeEnumeration(["x_d2", "x_d3"], choices: [[8, 8], [8, 16], [16, 8]])
    #expect(image.main.enumerations == [sizes])
    let array = try read("nn_enumerated_array")
    #expect(array.main.enumerations == [SizeEnumeration(["x_d3"], choices: [[8], [4], [12]])])
    let scratch = try Scratch()
    for program in [image, array] {
      let path = scratch.file("\(program.main.enumerations[0].choices.count)-\(program.functions.count).mlpackage")
      _ = try CoreMLPackage.write(program, to: path)
      #expect(try CoreMLPackage.read(path).main.enumerations == program.main.enumerations)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// Arrays of the old form are as the description says; a network that runs over sequences takes them.
  @Test func oldArrays() throws {
    let updatable = try read("nn_updatable_sgd")
    #expect(shapes(updatable) == ["x": [4], "y": [3]])
    #expect(updatable.notes.contains { $0.contains("can be updated") })
    let lstm = shapes(try read("nn_bilstm"))
    #expect(lstm["x"] == ["sequence", 1, 3, 1, 1])
    #expect(lstm["s0"] == [4] && lstm["y1"] == [4])
    #expect(lstm["y0"] == ["sequence", 1, 8, 1, 1])
  }

  @Test func classifiersGiveProbabilities() throws {
    let program = try read("nn_classifier")
    #expect(shapes(program).count == 3 && shapes(program).values.allSatisfy { [[8], [3], []].contains($0) })
    #expect(program.main.features.classLabels == .strings(["cat", "dog", "red fox"]))
    #expect(program.main.features.classifier?.label == "classLabel")
    let outputs = try Interpreter(program.main).run([numbers(.float32, [8])])
    let scores = try #require(outputs.first { $0.dtype == .float32 }).floats
    let best = scores.indices.max { scores[$0] < scores[$1] }
    #expect(outputs.first { $0.dtype == .string }?.strings == [["cat", "dog", "red fox"][best ?? 0]])
  }

  /// A package whose model is a network reads as the file alone; and what was read is written as an ML Program.
  @Test func networksInPackages() throws {
    let scratch = try Scratch()
    let path = scratch.file("n.mlpackage")
    _ = try CoreMLPackage.write(try convolutionalNet(), to: path)
    let model = "\(path)/Data/com.apple.CoreML/model.mlmodel"
    try FileManager.default.removeItem(atPath: model)
    try FileManager.default.copyItem(atPath: ImportTests.fixture("nn_cnn.mlmodel"), toPath: model)
    #expect(shapes(try CoreMLPackage.read(path)) == shapes(try read("nn_cnn")))
    for name in ["nn_cnn", "nn_cnn_quant8", "nn_products"] {
      let program = try read(name)
      let type = program.main.type(program.main.inputs[0])
      let inputs = [numbers(.float32, try #require(type.staticShape))]
      try roundTrip(program, target: .iOS18, inputs: inputs)
    }
  }

  /// What is in Apple's systems alone is refused by name, wherever it stands.
  @Test func otherModelsAreRefused() throws {
    let scratch = try Scratch()
    let path = scratch.file("m.mlmodel")
    for (damage, name) in Self.others {
      var model = CoreML_Specification_Model()
      model.specificationVersion = 4
      damage(&model)
      try (try model.serializedData()).write(to: URL(fileURLWithPath: path))
      let problem = expectDiagnostic("coreml.model-type") { _ = try CoreMLPackage.read(path) }
      #expect(problem?.message.contains(name) == true && problem?.kind == .unsupported, "\(problem as Any)")
    }
  }

  private static let others: [(@Sendable (inout CoreML_Specification_Model) -> Void, String)] = [
    ({ $0.visionFeaturePrint = .init() }, "vision feature print"),
    ({ $0.customModel = .init() }, "a custom model"),
    (
      { $0.pipeline = .with { ($0.models, $0.names) = ([.with { $0.textClassifier = .init() }], ["words"]) } },
      "'words'"
    ),
  ]

  @Test func survivesTruncationAnywhere() throws {
    let scratch = try Scratch()
    let url = URL(fileURLWithPath: scratch.file("n.mlmodel"))
    for name in Self.damaged {
      let whole = try Data(contentsOf: URL(fileURLWithPath: ImportTests.fixture("\(name).mlmodel")))
      for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 300)) {
        try whole.prefix(length).write(to: url)
        #expect(!survives(url.path), "\(name) cut to \(length)")
      }
      try whole.write(to: url)
      #expect(survives(url.path), "\(name)")
    }
  }

  @Test func survivesFlippedBytes() throws {
    let scratch = try Scratch()
    let url = URL(fileURLWithPath: scratch.file("n.mlmodel"))
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for name in Self.damaged {
      let whole = try Data(contentsOf: URL(fileURLWithPath: ImportTests.fixture("\(name).mlmodel")))
      var refused = 0
      for _ in 0..<1500 {
        var bytes = whole
        for _ in 0...next(3) { bytes[next(bytes.count)] ^= UInt8(1 << next(8)) }
        try bytes.write(to: url)
        if !survives(url.path) { refused += 1 }
      }
      #expect(refused > 20, "\(name): only \(refused) damaged files were refused")
    }
  }

  private static let damaged = [
    "nn_cnn_quant8", "nn_shapes", "nn_products", "nn_updatable_sgd", "nn_cnn_image", "nn_bilstm", "nn_classifier",
    "nn_enumerated_image",
  ]

  /// Reads, and touches every constant that was read.
  private func survives(_ path: String) -> Bool {
    do throws(Diagnostic) {
      let function = try CoreMLPackage.read(path).main
      for value in function.values { _ = value.fact.value?.hashValue }
      for operation in function.body.operations where operation.isConstantExpression {
        _ = try? expanded(operation.outputs[0], in: function)
      }
      return true
    } catch { return false }
  }
}
