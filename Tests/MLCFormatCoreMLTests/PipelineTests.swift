import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import SwiftProtobuf
import Testing

/// Models that chain others.
@Suite struct PipelineTests {
  /// `out = factor · in`, of `[2, 3]`.
  private func scaling(_ input: String, _ output: String, by factor: Double) throws -> Program {
    try program { builder in
      let x = builder.input(input, TensorType(.float32, [2, 3]))
      let constant = builder.constant(Tensor(.float32, [], [factor]), name: "factor")
      return [(output, try builder(Mul(), x, constant, name: output))]
    }
  }

  /// `z = x + y`.
  private func sum() throws -> Program {
    try program { builder in
      let (x, y) = (
        builder.input("double", TensorType(.float32, [2, 3])), builder.input("x", TensorType(.float32, [2, 3]))
      )
      return [("z", try builder(Add(), x, y, name: "z"))]
    }
  }

  private let x = numbers(.float32, [2, 3])

  @Test func writtenOnesComeBack() throws {
    let scratch = try Scratch()
    let path = scratch.file("p.mlpackage")
    let parts = [("first", try scaling("x", "double", by: 2)), ("second", try sum())]
    _ = try CoreMLPackage.write(pipeline: parts.map { CoreMLPart($0.0, $0.1) }, to: path)
    let back = try CoreMLPackage.read(path).main
    #expect(back.inputs.map { back[$0].name } == ["x"] && back.outputNames == ["z"])
    #expect(try Interpreter(back).run([x])[0].floats == x.floats.map { 3 * $0 })
    #expect(back.body.operations.contains { $0.origin.node != nil })
  }

  /// Models of different kinds, one in the other, and the identity.
  @Test func kindsMix() throws {
    let scratch = try Scratch()
    let network = try MLModelSpecFile.read(ImportTests.fixture("nn_cnn.mlmodel"))
    var inner = CoreML_Specification_Model()
    inner.description_p.input = network.description_p.input
    inner.description_p.output = network.description_p.output
    inner.pipeline.models = [network]
    var last = CoreML_Specification_Model()
    last.identity = .init()
    last.description_p.input = network.description_p.output
    last.description_p.output = network.description_p.output
    last.description_p.output[0].name = "same"
    var outer = CoreML_Specification_Model()
    outer.description_p.input = network.description_p.input
    outer.description_p.output = last.description_p.output
    (outer.pipeline.models, outer.pipeline.names) = ([inner, last], ["inner", "last"])
    let path = scratch.file("p.mlmodel")
    try outer.serializedData().write(to: URL(fileURLWithPath: path))
    let alone = try CoreMLPackage.read(ImportTests.fixture("nn_cnn.mlmodel")).main
    let chained = try CoreMLPackage.read(path).main
    #expect(chained.outputNames == ["same"])
    let input = numbers(.float32, try #require(alone.type(alone.inputs[0]).staticShape))
    #expect(try Interpreter(chained).run([input])[0].floats == Interpreter(alone).run([input])[0].floats)
  }

  /// A model that another file holds, by the name of what it would be compiled to.
  @Test func linksAreFollowed() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch.file("parts"), withIntermediateDirectories: true)
    _ = try CoreMLPackage.write(try scaling("x", "y", by: 4), to: scratch.file("parts/four.mlpackage"))
    var link = CoreML_Specification_Model()
    link.linkedModel.linkedModelFile.linkedModelFileName.defaultValue = "four.mlmodelc"
    link.linkedModel.linkedModelFile.linkedModelSearchPath.defaultValue = "$BUNDLE_MAIN:other:parts"
    let target = try MLModelSpecFile.read(scratch.file("parts/four.mlpackage/Data/com.apple.CoreML/model.mlmodel"))
    (link.description_p.input, link.description_p.output) = (target.description_p.input, target.description_p.output)
    let path = scratch.file("link.mlmodel")
    try link.serializedData().write(to: URL(fileURLWithPath: path))
    let function = try CoreMLPackage.read(path).main
    #expect(try Interpreter(function).run([x])[0].floats == x.floats.map { 4 * $0 })
  }

  /// `acc += x; y = 2 · acc` twice, of one state.
  private func stateful() throws -> CoreML_Specification_Model {
    let part = try MLModelSpecFile.read(
      ImportTests.fixture("mil_state.mlpackage") + "/Data/com.apple.CoreML/model.mlmodel"
    )
    var chained = CoreML_Specification_Model()
    (chained.specificationVersion, chained.description_p) = (part.specificationVersion, part.description_p)
    chained.pipeline.models = [part, part]
    return chained
  }

  @Test func modelsShareStates() throws {
    let scratch = try Scratch()
    let chained = try stateful()
    let path = scratch.file("p.mlmodel")
    try chained.serializedData().write(to: URL(fileURLWithPath: path))
    let main = try CoreMLPackage.read(path).main
    try main.verify()
    #expect(main.states == [State("acc", input: 1, output: 1)] && main.outputNames == ["y", "acc"])
    let x = Tensor(.float16, [1, 8], (0..<8).map { Double($0) })
    let results = try Interpreter(main).run([x, Tensor(.float16, [1, 8], [Double](repeating: 3, count: 8))])
    #expect(results[1].doubles == x.doubles.map { 3 + 2 * $0 })
    #expect(results[0].doubles == results[1].doubles.map { 2 * $0 })
  }

  /// A state is of one type in all models, and called otherwise than what they take.
  @Test(arguments: [true, false]) func statesThatDoNotFitAreRefused(isShape: Bool) throws {
    let scratch = try Scratch()
    var chained = try stateful()
    let part = chained.pipeline.models[0]
    if isShape {
      let place = try #require(part.mlProgram.functions["main"]?.inputs.firstIndex { $0.name == "acc" })
      chained.pipeline.models[1].mlProgram.functions["main"]?.inputs[place].type.stateType.wrappedType.tensorType
        .dimensions[1].constant.size = 4
    } else {
      chained.description_p.input.append(part.description_p.input[0])
      chained.description_p.input[1].name = "acc"
    }
    let path = scratch.file("p.mlmodel")
    try chained.serializedData().write(to: URL(fileURLWithPath: path))
    expectDiagnostic("coreml.state") { _ = try CoreMLPackage.read(path) }
  }

  @Test func whatDoesNotChainIsRefused() throws {
    let scratch = try Scratch()
    let first = try scaling("x", "y", by: 2)
    let other = try program { builder in
      let y = builder.input("y", TensorType(.float32, [7]))
      return [("z", try builder(Neg(), y, name: "z"))]
    }
    for second in [try scaling("w", "y", by: 2), other] {
      expectDiagnostic("coreml.pipeline") {
        let parts = [CoreMLPart("a", first), CoreMLPart("b", second)]
        _ = try CoreMLPackage.write(pipeline: parts, to: scratch.file("p.mlpackage"))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.file("p.mlpackage")))
  }
}

/// A model's bytes as a message.
private enum MLModelSpecFile {
  static func read(_ path: String) throws -> CoreML_Specification_Model {
    try CoreML_Specification_Model(serializedBytes: try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
