import MLCCore
import MLCImportONNX
import ONNXProto
import SwiftProtobuf
import Testing

@Suite struct ONNXGraphOrderTests {
  @Test func keepsFileOrderWhereItHolds() throws {
    let nodes = [node("A", ["x"], ["a"]), node("B", ["x"], ["b"]), node("C", ["b", "a"], ["y"])]
    #expect(try read(model(nodes)).graph.nodes.map { $0.opType } == ["A", "B", "C"])
  }

  @Test func sortsNodes() throws {
    let nodes = [node("C", ["b", "a"], ["y"]), node("B", ["a"], ["b"]), node("A", ["x"], ["a"])]
    #expect(try read(model(nodes)).graph.nodes.map { $0.opType } == ["A", "B", "C"])
  }

  @Test func sortsByWhatBodiesRead() throws {
    let then = graph([node("Neg", ["late"], ["t"])], outputs: ["t"])
    let nodes = [node("If", ["x"], ["y"], [body("then_branch", then)]), node("Abs", ["x"], ["late"])]
    #expect(try read(model(nodes)).graph.nodes.map { $0.opType } == ["Abs", "If"])
  }

  @Test func sortsLongChains() throws {
    let count = 100_000
    let chain = (0..<count).map { node("N", [$0 == 0 ? "x" : "v\($0)"], [$0 == count - 1 ? "y" : "v\($0 + 1)"]) }
    let sorted = try read(model(chain.reversed())).graph.nodes
    #expect(sorted.first?.inputs == ["x"] && sorted.last?.outputs == ["y"])
  }

  @Test func namesTheNodesOfACycle() {
    let nodes = [
      node("A", ["x", "c"], ["a"]), node("B", ["a"], ["b"]), node("C", ["b"], ["c"]), node("D", ["c"], ["y"]),
    ]
    let error = expectDiagnostic("onnx.cycle") { _ = try read(model(nodes)) }
    #expect(error?.message.contains("a → b → c → a") == true, "\(error?.message ?? "")")
    expectDiagnostic("onnx.cycle") { _ = try read(model([node("A", ["x", "y"], ["y"])])) }
  }

  @Test func refusesUndefinedValues() {
    let error = expectDiagnostic("onnx.undefined-value") { _ = try read(model([node("A", ["nope"], ["y"])])) }
    #expect(error?.message.contains("'nope'") == true)
    #expect(error?.location.node == "y" && error?.location.file == "test.onnx")
    expectDiagnostic("onnx.undefined-value") { _ = try read(model(outputs: ["z"])) }
    let then = graph([node("Neg", ["nope"], ["t"])], outputs: ["t"])
    expectDiagnostic("onnx.undefined-value") {
      _ = try read(model([node("If", ["x"], ["y"], [body("then_branch", then)])]))
    }
    expectDiagnostic("onnx.undefined-value") {
      var proto = model()
      proto.functions = [
        .with {
          $0.name = "F"
          $0.input = ["a"]
          $0.node = [node("A", ["b"], ["c"])]
        }
      ]
      _ = try read(proto)
    }
  }

  @Test func refusesSecondDefinitions() {
    expectDiagnostic("onnx.duplicate-value") {
      _ = try read(model([node("A", ["x"], ["y"]), node("B", ["x"], ["y"])]))
    }
    expectDiagnostic("onnx.duplicate-value") { _ = try read(model([node("A", ["x"], ["x"])], outputs: ["x"])) }
    expectDiagnostic("onnx.duplicate-value") { _ = try read(model(inputs: ["x", "x"])) }
    let twice = [floats("w", [1], [1]), floats("w", [1], [2])]
    expectDiagnostic("onnx.duplicate-value") { _ = try read(model(initializers: twice)) }
    expectDiagnostic("onnx.unnamed-value") { _ = try read(model(initializers: [floats("", [1], [1])])) }
    expectDiagnostic("onnx.operator-type") { _ = try read(model([node("", ["x"], ["y"])])) }
  }

  @Test func givesInputsDefaults() throws {
    let result = try read(model(initializers: [floats("x", [1], [1])])).graph
    #expect(result.inputs.map { $0.name } == ["x"] && result.requiredInputs.isEmpty)
  }

  @Test func boundsNesting() throws {
    func nested(_ depth: Int) -> Onnx_ModelProto {
      var inner = graph([node("Neg", ["x"], ["t"])], outputs: ["t"])
      for _ in 1..<depth { inner = graph([node("If", ["x"], ["t"], [body("then_branch", inner)])], outputs: ["t"]) }
      return model([node("If", ["x"], ["y"], [body("then_branch", inner)])])
    }
    #expect(throws: Never.self) { _ = try read(nested(64)) }
    expectDiagnostic("onnx.nesting") { _ = try read(nested(65)) }
    expectDiagnostic("onnx.nesting") { _ = try read(nested(200)) }
  }
}
