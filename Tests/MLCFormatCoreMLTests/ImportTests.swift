import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import Testing

/// Packages that coremltools wrote.
@Suite struct ImportTests {
  static func fixture(_ name: String) throws -> String {
    "\(try #require(Bundle.module.resourcePath))/Fixtures/\(name)"
  }

  static func floats(_ name: String) throws -> [Float] {
    try Data(contentsOf: URL(fileURLWithPath: fixture(name))).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(arguments: ["torch_cnn_f32", "torch_bilstm_f32"])
  func computesWhatTorchComputed(_ name: String) throws {
    let program = try CoreMLPackage.read(Self.fixture("\(name).mlpackage"))
    let type = program.main.type(program.main.inputs[0])
    let input = Tensor(try #require(type.staticShape), floats: try Self.floats("\(name).in.bin")).converted(
      to: type.dtype
    )
    let output = try Interpreter(program.main).run([input])[0].doubles
    let expected = try Self.floats("\(name).out.bin")
    #expect(output.count == expected.count)
    #expect(zip(output, expected).allSatisfy { abs($0 - Double($1)) < 1e-6 })
  }

  @Test(arguments: [
    "mil_palettized4_ios16", "mil_palettized4_ios18", "mil_palettized_grouped_ios18", "mil_pruned_ios16",
    "mil_pruned_ios18", "mil_quant8_ios16", "mil_quant8_ios18", "mil_quant4block_ios18",
    "mil_joint_sparse_palettized_ios18",
  ])
  func keepsCompressedWeights(_ name: String) throws {
    let program = try CoreMLPackage.read(Self.fixture("\(name).mlpackage"))
    let linear = try #require(program.main.body.operations.first { $0.name == "linear" })
    let operand = try #require(linear.argument("weight"))
    #expect(program.main.fact(operand).value == nil && program.main.fact(operand).isConstant)
    let weight = try expanded(operand, in: program.main)
    let expected = try Data(contentsOf: URL(fileURLWithPath: Self.fixture("\(name).bin"))).withUnsafeBytes {
      $0.bindMemory(to: Float16.self).map { Double($0) }
    }
    #expect(weight.shape == [128, 64])
    #expect(weight.dtype == .float16)
    let far = zip(weight.doubles, expected).filter { abs($0 - $1) > 1e-3 * abs($1) }
    #expect(far.isEmpty, "\(far.count) differ, \(far.prefix(3))")
    #expect(expected.count == weight.count)
    let inputs = program.main.inputs.map { id in
      numbers(program.main.type(id).dtype, program.main.type(id).staticShape ?? [])
    }
    try roundTrip(program, target: name.hasSuffix("ios16") ? .iOS16 : .iOS18, inputs: inputs)
  }

  @Test func manyOperators() throws {
    let program = try CoreMLPackage.read(Self.fixture("mil_misc_ops.mlpackage"))
    try program.main.verify()
    let results = try Interpreter(program.main).run([numbers(.float32, [2, 6, 10, 10])])
    let shapes = Dictionary(uniqueKeysWithValues: zip(program.main.outputNames, results.map(\.shape)))
    #expect(shapes["conv_transpose_0"] == [2, 4, 21, 21])
    #expect(shapes["einsum_0"] == [2, 6, 10, 5])
    #expect(shapes["stack_0"] == [2, 2, 6, 10, 10])
    try roundTrip(program)
  }

  @Test func controlFlowAndRecurrence() throws {
    for name in ["mil_while_loop", "mil_cond", "mil_gather_lstm_gru", "mil_multifunction"] {
      let program = try CoreMLPackage.read(Self.fixture("\(name).mlpackage"))
      for function in program.functions { try function.verify() }
      try roundTrip(program, target: .iOS18)
    }
    let loop = try CoreMLPackage.read(Self.fixture("mil_while_loop.mlpackage")).main
    #expect(loop.body.operations.contains { $0.name == "while_loop" && $0.blocks.count == 2 })
    #expect(try CoreMLPackage.read(Self.fixture("mil_multifunction.mlpackage")).functions.count == 2)
  }

  @Test func flexibleShapes() throws {
    let range = try CoreMLPackage.read(Self.fixture("mil_rangedim.mlpackage")).main
    #expect(range.type(range.inputs[0]).shape == [1, "x_d1", 8])
    #expect(range.bounds == ["x_d1": 2...64])
    try roundTrip(Program([range]), inputs: [numbers(.float32, [1, 5, 8])])
    let enumerated = try CoreMLPackage.read(Self.fixture("mil_enumerated.mlpackage")).main
    #expect(enumerated.bounds == ["x_d1": 4...16])
    #expect(enumerated.enumerations == [SizeEnumeration(["x_d1"], choices: [[8], [4], [16]])])
    try roundTrip(Program([enumerated]), inputs: [numbers(.float32, [1, 4, 8])])
  }

  /// A classifier of an ML Program, whose input is an image.
  @Test func classifiersHaveLabels() throws {
    let program = try CoreMLPackage.read(Self.fixture("mil_cnn_image.mlpackage"))
    #expect(program.main.features.inputs.map(\.form) == [.image(.rgb)])
    #expect(program.main.features.classLabels == .strings((0..<10).map { "c\($0)" }))
    #expect(program.main.features.classifier == .init(label: "classLabel", probabilities: "classLabel_probs"))
    try roundTrip(program, inputs: [numbers(.float32, [1, 3, 32, 32])])
  }
}
