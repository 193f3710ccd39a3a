import Foundation
import ONNXProto
import SwiftProtobuf
import TestSupport
import Testing

/// What the command says of ONNX models beside running them: `inspect --coverage`, `verify --onnx-tests`, and
/// `explain --operators`.
@Suite struct ONNXModelCommandTests {
  private func node(_ type: String, _ input: String, _ output: String) -> Onnx_NodeProto {
    .with { ($0.opType, $0.input, $0.output, $0.name) = (type, [input], [output], "node of \(type)") }
  }

  private func info(_ name: String) -> Onnx_ValueInfoProto {
    .with {
      $0.name = name
      $0.type.tensorType.elemType = 1
      $0.type.tensorType.shape.dim = [.with { $0.dimValue = 2 }]
    }
  }

  private func write(_ nodes: [Onnx_NodeProto], declared: [String] = [], to path: String) throws {
    let model = Onnx_ModelProto.with {
      $0.irVersion = 8
      $0.opsetImport = [.with { $0.version = 17 }]
      $0.graph.node = nodes
      $0.graph.input = [info("x")]
      $0.graph.output = [info(nodes.last?.output.first ?? "")]
      $0.graph.valueInfo = declared.map(info)
    }
    try model.serializedData().write(to: URL(filePath: path))
  }

  private func writeCase(_ type: String, _ output: [Float], to folder: String) throws {
    let set = "\(folder)/test_data_set_0"
    try FileManager.default.createDirectory(atPath: set, withIntermediateDirectories: true)
    try write([node(type, "x", "y")], to: "\(folder)/model.onnx")
    for (name, numbers) in [("input", [-1, 2]), ("output", output)] as [(String, [Float])] {
      let tensor = Onnx_TensorProto.with { ($0.dataType, $0.dims, $0.floatData) = (1, [2], numbers) }
      try tensor.serializedData().write(to: URL(filePath: "\(set)/\(name)_0.pb"))
    }
  }

  /// A proposed argument is one word of a shell.
  @Test func remediesAreQuoted() throws {
    let work = try Workspace()
    for (name, word) in [("x", "--input x=FILE"), ("my input", "--input 'my input=FILE'")] {
      let graph = Onnx_GraphProto.with {
        ($0.node, $0.input, $0.output) = ([node("Neg", name, "y")], [info(name)], [info("y")])
      }
      let model = Onnx_ModelProto.with {
        ($0.irVersion, $0.opsetImport, $0.graph) = (8, [.with { $0.version = 17 }], graph)
      }
      try model.serializedData().write(to: URL(filePath: work.path("m.onnx")))
      let run = try MLCProcess("predict", work.path("m.onnx"), "--reference")
      #expect(run.errors.contains("give it with \(word)"), "\(run.errors)")
    }
  }

  @Test func nodesThatAreNotTakenAreNamed() throws {
    let work = try Workspace()
    let path = work.path("model.onnx")
    try write([node("Relu", "x", "a"), node("Frobnicate", "a", "b"), node("Exp", "b", "y")], declared: ["b"], to: path)
    let run = try MLCProcess("inspect", path, "--coverage", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json()
    let rows = try #require(report["operators"] as? [[String: Any]])
    let missing = Dictionary(
      uniqueKeysWithValues: rows.map { ($0["operator"] as? String ?? "", $0["not_imported"] as? Int ?? -1) }
    )
    #expect(missing == ["Exp": 0, "Frobnicate": 1, "Relu": 0])
    let problems = try #require(report["problems"] as? [[String: Any]])
    #expect(problems.map { $0["node"] as? String } == ["node of Frobnicate"])
    #expect(report["remainder"] == nil)
    try write([node("Relu", "x", "a"), node("Frobnicate", "a", "b"), node("Exp", "b", "y")], to: path)
    let text = try MLCProcess("inspect", path, "--coverage")
    #expect(text.status == 0 && text.output.contains("what lies behind it is not looked at"), "\(text.output)")
    try write([node("Relu", "x", "y")], to: path)
    #expect(try MLCProcess("inspect", path, "--coverage").output.contains("every node is taken"))
  }

  @Test func foldersOfBackendTests() throws {
    let work = try Workspace()
    try writeCase("Relu", [0, 2], to: work.path("cases/node/right"))
    let right = try MLCProcess("verify", "--onnx-tests", work.path("cases"))
    #expect(right.status == 0 && right.output.contains("1 passed, 0 refused, 0 failed"), "\(right.output)")
    let compiled = try MLCProcess("verify", "--onnx-tests", work.path("cases"), "--target", "host", "--json")
    let rows = try #require(try compiled.json()["cases"] as? [[String: Any]])
    #expect(compiled.status == 0 && rows.map { $0["outcome"] as? String } == ["pass"], "\(compiled.errors)")
    try writeCase("Frobnicate", [0, 2], to: work.path("cases/node/unknown"))
    let refused = try MLCProcess("verify", "--onnx-tests", work.path("cases"))
    #expect(refused.status == 4 && refused.output.contains("1 passed, 1 refused, 0 failed"), "\(refused.output)")
    try writeCase("Relu", [1, 2], to: work.path("cases/node/wrong"))
    let wrong = try MLCProcess("verify", "--onnx-tests", work.path("cases"))
    #expect(wrong.status == 1 && wrong.output.contains("1 passed, 1 refused, 1 failed"), "\(wrong.output)")
  }

  @Test func operatorsOfONNX() throws {
    let run = try MLCProcess("explain", "--operators", "--json")
    let rows = try #require(try run.json()["operators"] as? [[String: Any]])
    let conv = rows.first { $0["onnx"] as? String == "Conv" }
    #expect(conv?["becomes"] as? String == "conv" && conv?["since_opset"] as? Int == 1)
    #expect(try MLCProcess("explain").status != 0)
    #expect(try MLCProcess("explain", "Conv", "--operators").status != 0)
  }
}
