import Foundation
import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// Models that define operators of their own.
@Suite struct FunctionTests {
  private let domain = "com.example"

  private func node(
    _ op: String,
    _ inputs: [String],
    _ outputs: [String],
    _ attributes: [String: ONNXAttribute] = [:]
  ) -> ONNXNode {
    ONNXNode(opType: op, inputs: inputs, outputs: outputs, attributes: attributes)
  }

  private func call(
    _ name: String,
    _ inputs: [String],
    _ outputs: [String],
    _ attributes: [String: ONNXAttribute] = [:]
  ) -> ONNXNode {
    ONNXNode(opType: name, domain: domain, inputs: inputs, outputs: outputs, attributes: attributes)
  }

  private func function(
    _ name: String,
    _ inputs: [String],
    _ outputs: [String],
    defaults: [String: ONNXAttribute] = [:],
    opsets: [String: Int] = ["": 17],
    _ nodes: [ONNXNode]
  ) -> ONNXFunction {
    ONNXFunction(
      name: name,
      domain: domain,
      inputs: inputs,
      outputs: outputs,
      defaultAttributes: defaults,
      nodes: nodes,
      opsets: opsets
    )
  }

  private func program(_ shape: [Int], _ nodes: [ONNXNode], _ functions: [ONNXFunction]) throws(Diagnostic) -> Program {
    let graph = ONNXGraph(
      nodes: nodes,
      inputs: [ONNXValueInfo(name: "x", type: TensorType(.float32, shape.map { Dim($0) }))],
      outputs: [ONNXValueInfo(name: "y")]
    )
    let opsets = ["": 17, domain: 1]
    let model = ONNXModel(irVersion: 8, opsets: opsets, graph: graph, functions: functions)
    return try ONNXImporter(file: "model.onnx").program(model)
  }

  private func result(_ program: Program, _ x: Tensor) throws -> [Double] {
    try program.main.verify()
    return try Interpreter(program.main).run([x])[0].doubles
  }

  /// What a call gives, then the default; what neither has is left out.
  @Test func referencesBecomeAttributes() throws {
    let leaky = function(
      "Leak",
      ["a"],
      ["b"],
      defaults: ["slope": .float(0.5)],
      [
        node("LeakyRelu", ["a"], ["t"], ["alpha": .reference("slope")]),
        node("Elu", ["t"], ["b"], ["alpha": .reference("absent")]),
      ]
    )
    let nodes = [call("Leak", ["x"], ["t"], ["slope": .float(0.25)]), call("Leak", ["t"], ["y"])]
    let elu = { (x: Double) in Float(Foundation.expm1(x)) }
    let y = try result(program([2], nodes, [leaky]), Tensor([2], floats: [4, -4]))
    #expect(y[0] == 4)
    #expect(abs(y[1] - Double(elu(Double(elu(-1)) * 0.5))) < 1e-6)
  }

  /// A body sees its inputs alone, and changes no name outside, however often it is called and on a side of an `If`.
  @Test func namesDoNotClash() throws {
    let twice = function("Twice", ["x"], ["y"], [node("Add", ["x", "x"], ["y"])])
    let four = function("Four", ["t"], ["x"], [call("Twice", ["t"], ["y"]), call("Twice", ["y"], ["x"])])
    var side = ONNXGraph(nodes: [call("Twice", ["x"], ["z"])], outputs: [ONNXValueInfo(name: "z")])
    side.captures = ["x"]
    var other = ONNXGraph(nodes: [call("Four", ["x"], ["z"])], outputs: [ONNXValueInfo(name: "z")])
    other.captures = ["x"]
    let nodes = [
      node("ReduceSum", ["x"], ["s"], ["keepdims": .int(0)]), node("Cast", ["s"], ["c"], ["to": .int(9)]),
      node("If", ["c"], ["t"], ["then_branch": .graph(side), "else_branch": .graph(other)]),
      call("Four", ["t"], ["f"]), node("Sub", ["f", "x"], ["y"]),
    ]
    let program = try program([2], nodes, [twice, four])
    #expect(try result(program, Tensor([2], floats: [1, 2])) == [7, 14])
    #expect(try result(program, Tensor([2], floats: [1, -1])) == [15, -15])
    let places = program.main.body.operations.compactMap { $0.origin.node }
    #expect(places.contains("f/y/y"))
  }

  /// Softmax before operator set 13 takes all axes from the second on as one.
  @Test func theOperatorSetIsTheFunctions() throws {
    let old = function("Old", ["a"], ["b"], opsets: ["": 11], [node("Softmax", ["a"], ["b"])])
    let zeros = Tensor([1, 2, 2], floats: [0, 0, 0, 0])
    #expect(try result(program([1, 2, 2], [call("Old", ["x"], ["y"])], [old]), zeros) == [0.25, 0.25, 0.25, 0.25])
    #expect(try result(program([1, 2, 2], [node("Softmax", ["x"], ["y"])], []), zeros) == [0.5, 0.5, 0.5, 0.5])
  }

  @Test func inputsMayBeLeftOut() throws {
    let clip = function("Bounded", ["a", "low", "high"], ["b"], [node("Clip", ["a", "low", "high"], ["b"])])
    let nodes = [node("ReduceMax", ["x"], ["m"], ["keepdims": .int(0)]), call("Bounded", ["x", "m"], ["y"])]
    #expect(try result(program([2], nodes, [clip]), Tensor([2], floats: [1, 2])) == [2, 2])
  }

  @Test func whatCannotBeCalledIsRefused() {
    func refusal(_ nodes: [ONNXNode], _ functions: [ONNXFunction]) -> Diagnostic? {
      #expect(throws: Diagnostic.self) { try program([2], nodes, functions) }
    }
    let single = function("F", ["a"], ["b"], [node("Relu", ["a"], ["b"])])
    #expect(refusal([call("F", ["x", "x"], ["y"])], [single])?.id == "onnx.function")
    #expect(refusal([call("F", [], ["y"])], [single])?.id == "onnx.missing-input")
    #expect(refusal([call("F", ["x"], ["t", "y"])], [single])?.id == "onnx.output")
    #expect(refusal([call("G", ["x"], ["y"])], [single])?.id == "onnx.unsupported")
    let graph = ["body": ONNXAttribute.graph(ONNXGraph())]
    #expect(refusal([call("F", ["x"], ["y"], graph)], [single])?.id == "onnx.function")
    let inner = function("F", ["a"], ["b"], [node("Frobnicate", ["a"], ["b"])])
    #expect(refusal([call("F", ["x"], ["y"])], [inner])?.id == "onnx.unsupported")
    let own = function("F", ["a"], ["b"], [call("F", ["a"], ["b"])])
    #expect(refusal([call("F", ["x"], ["y"])], [own])?.id == "onnx.function")
    let pair = [
      function("F", ["a"], ["b"], [call("G", ["a"], ["b"])]), function("G", ["a"], ["b"], [call("F", ["a"], ["b"])]),
    ]
    let circle = refusal([call("F", ["x"], ["y"])], pair)
    #expect(circle?.id == "onnx.function" && circle!.message.contains("F → G → F"))
  }

  /// Thousands of functions, each of which calls the next, and a few that call the next twice.
  @Test func callsAreBounded() {
    let chain = (0..<4000).map { n in
      function("F\(n)", ["a"], ["b"], [n == 3999 ? node("Relu", ["a"], ["b"]) : call("F\(n + 1)", ["a"], ["b"])])
    }
    let deep = #expect(throws: Diagnostic.self) { try program([2], [call("F0", ["x"], ["y"])], chain) }
    #expect(deep?.id == "onnx.nesting")
    let doubling = (0..<40).map { n in
      let nodes = [call("F\(n + 1)", ["a"], ["t"]), call("F\(n + 1)", ["t"], ["b"])]
      return function("F\(n)", ["a"], ["b"], n == 39 ? [node("Relu", ["a"], ["b"])] : nodes)
    }
    let wide = #expect(throws: Diagnostic.self) { try program([2], [call("F0", ["x"], ["y"])], doubling) }
    #expect(wide?.id == "onnx.function")
  }
}
