import Foundation
import MLCCore
import MLCImportONNX
import ONNXProto
import SwiftProtobuf
import Testing

@Suite struct ONNXReaderTests {
  @Test func readsModelFields() throws {
    let model = try ONNXReader.read(fixture("attributes.onnx"))
    #expect(model.irVersion == 10)
    #expect(model.opset == 21)
    #expect(model.opsets == ["": 21, "com.example": 3])
    #expect(model.producer == "fixture 1")
    #expect(model.metadata.map { $0.key } == ["author"])
    #expect(model.graph.name == "attributes")
  }

  @Test func readsEveryAttributeKind() throws {
    let node = try #require(ONNXReader.read(fixture("attributes.onnx")).graph.nodes.first)
    #expect((node.name, node.opType, node.domain) == ("y", "Everything", "com.example"))
    #expect(node.input(0) == "x" && node.input(1) == nil && node.input(2) == "x" && node.input(3) == nil)
    #expect(try node.int("i") == -3)
    #expect(try node.ints("ints") == [1, 2])
    #expect(try node.float("f") == 0.5)
    #expect(try node.floats("floats") == [1, 2])
    #expect(try node.string("s") == "text")
    #expect(try node.strings("strings") == ["a", "b"])
    #expect(try node.tensor("t")?.integers == [7, -8])
    #expect(try node.tensor("sparse") == Tensor([2, 3], floats: [0, 1.5, 0, 0, 0, -2.5]))
    #expect(try node.graph("g")?.captures == ["x"])
    #expect(try node.int("absent") == nil && node.int("absent", default: 4) == 4)
    expectDiagnostic("onnx.attribute-type") { _ = try node.int("f") }
    expectDiagnostic("onnx.attribute-type") { _ = try node.floats("ints") }
  }

  @Test func readsValueTypes() throws {
    let control = try ONNXReader.read(fixture("control.onnx")).graph
    #expect(control.inputs[0].type == TensorType(.float32, [600]))
    #expect(control.inputs[2].isSequence && control.inputs[2].type == TensorType(.float32, ["n"]))
    #expect(control.inputs[3].isOptional && control.inputs[3].type == TensorType(.int64, [2]))
    let output = try #require(ONNXReader.read(fixture("attributes.onnx")).graph.outputs.first)
    #expect(output.type == TensorType(.float32, ["y_d0", "n", 4]))
    let unranked = try #require(ONNXReader.read(fixture("tensors_small.onnx")).graph.outputs.first)
    #expect(unranked.type == nil && unranked.dtype == .float32)
  }

  @Test func readsBodiesAndFunctions() throws {
    let model = try ONNXReader.read(fixture("control.onnx"))
    #expect(model.graph.nodes.map { $0.name } == ["late", "choose"])
    let choose = model.graph.nodes[1]
    let then = try #require(try choose.graph("then_branch"))
    #expect(then.captures == ["late"])
    #expect(then.initializers["big"]?.doubles == (0..<600).map(Double.init))
    let other = try #require(try choose.graph("else_branch"))
    #expect(try other.nodes[0].tensor("value")?.doubles == (0..<600).map { Double($0 * 2) })
    let function = try #require(model.functions.first)
    #expect((function.name, function.domain) == ("Twice", "com.example"))
    #expect(function.inputs == ["a"] && function.outputs == ["b"] && function.requiredAttributes == ["alpha"])
    #expect(function.nodes.map { $0.opType } == ["Add"])
  }

  @Test func normalisesTheStandardDomain() throws {
    var proto = model()
    proto.opsetImport[0].domain = "ai.onnx"
    proto.graph.node[0].domain = "ai.onnx"
    let result = try read(proto)
    #expect(result.opsets == ["": 17])
    #expect(result.graph.nodes[0].domain == "")
    proto.opsetImport.append(.with { $0.version = 18 })
    expectDiagnostic("onnx.opset-import") { _ = try read(proto) }
  }

  @Test func infersTheKindOfUntypedAttributes() throws {
    let untyped = Onnx_AttributeProto.with {
      $0.name = "axis"
      $0.i = 2
    }
    let result = try read(model([node("Softmax", ["x"], ["y"], [untyped])]))
    #expect(try result.graph.nodes[0].int("axis") == 2)
    let nothing = Onnx_AttributeProto.with { $0.name = "axis" }
    expectDiagnostic("onnx.attribute-type") { _ = try read(model([node("Softmax", ["x"], ["y"], [nothing])])) }
    expectDiagnostic("onnx.duplicate-attribute") {
      _ = try read(model([node("Softmax", ["x"], ["y"], [untyped, untyped])]))
    }
  }

  @Test func keepsStringsThatAreNotText() throws {
    let raw = Onnx_AttributeProto.with {
      $0.name = "s"
      $0.type = .string
      $0.s = Data([0xff, 0xfe])
    }
    let result = try read(model([node("Custom", ["x"], ["y"], [raw])])).graph.nodes[0]
    expectDiagnostic("onnx.attribute-type") { _ = try result.string("s") }
    guard case .bytes([0xff, 0xfe]) = result.attributes["s"] else {
      Issue.record("not bytes")
      return
    }
  }

  @Test(arguments: [
    ([], "empty"), ([0x89] + Array("HDF\r\n\u{1a}\n".utf8), "HDF5"), (Array("PK\u{3}\u{4}rest".utf8), "zip"),
    (Array("{\"a\": 1}".utf8), "JSON"), ([0x80, 0x02, 0x8a, 0x0a], "pickle"),
    (Array("version https://git-lfs.github.com/spec/v1\n".utf8), "Git LFS"),
  ])
  func saysWhatOtherFilesLookLike(bytes: [UInt8], name: String) {
    let error = expectDiagnostic("onnx.malformed") { _ = try ONNXReader.read(storage(bytes), name: "some.bin") }
    #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
    #expect(error?.location.file == "some.bin")
  }

  @Test func refusesMessagesWithoutGraph() {
    expectDiagnostic("onnx.malformed") { _ = try read(Onnx_ModelProto.with { $0.irVersion = 8 }) }
  }
}
