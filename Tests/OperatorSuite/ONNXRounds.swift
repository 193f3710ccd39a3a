import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import TestSupport
import Testing

/// Models in a line with a node of rounds, played by the interpreter and as generated code.
enum ONNXRounds {
  static func node(
    _ op: String,
    _ inputs: [String],
    _ outputs: [String],
    _ attributes: [String: ONNXAttribute] = [:]
  ) -> ONNXNode {
    ONNXNode(opType: op, inputs: inputs, outputs: outputs, attributes: attributes)
  }

  static func constant(_ name: String, _ value: Tensor) -> ONNXNode {
    node("Constant", [], [name], ["value": .tensor(value)])
  }

  static func value(_ name: String, _ dtype: DType, _ shape: [Dim]? = nil) -> ONNXValueInfo {
    ONNXValueInfo(name: name, type: shape.map { TensorType(dtype, $0) }, dtype: dtype)
  }

  /// A body of `inputs` that gives `outputs`; what it reads and does not define is from around it.
  static func body(_ inputs: [ONNXValueInfo], _ nodes: [ONNXNode], _ outputs: [ONNXValueInfo]) -> ONNXAttribute {
    var graph = ONNXGraph(nodes: nodes, inputs: inputs, outputs: outputs)
    let own = Set(inputs.map(\.name) + nodes.flatMap(\.outputs))
    let inner = nodes.flatMap { $0.attributes.values }.flatMap { attribute -> [String] in
      if case .graph(let graph) = attribute { graph.captures } else { [] }
    }
    let read = nodes.flatMap(\.inputs) + inner + outputs.map(\.name)
    graph.captures = Set(read.filter { !$0.isEmpty }).subtracting(own).sorted()
    return .graph(graph)
  }

  static func body(_ inputs: [String], _ nodes: [ONNXNode], _ outputs: [String]) -> ONNXAttribute {
    body(inputs.map { ONNXValueInfo(name: $0) }, nodes, outputs.map { ONNXValueInfo(name: $0) })
  }

  static func function(
    _ inputs: [ONNXValueInfo],
    _ nodes: [ONNXNode],
    _ outputs: [String],
    opset: Int = 16
  ) throws(Diagnostic) -> Function {
    let graph = ONNXGraph(nodes: nodes, inputs: inputs, outputs: outputs.map { ONNXValueInfo(name: $0) })
    return try ONNXImporter(file: "model.onnx").program(ONNXModel(irVersion: 8, opsets: ["": opset], graph: graph)).main
  }

  /// What the interpreter answers, which generated code has to answer too, each run twice.
  static func results(_ function: Function, _ runs: [[Tensor]]) throws -> [[Tensor]] {
    try function.verify()
    let interpreter = Interpreter(function)
    let expected = try runs.map { run throws(Diagnostic) in try interpreter.run(run) }
    for name in ["x86-64-v2", "host"] {
      let results = try CompiledRunner(DeviceSet([name]).devices[0]).run(function, runs + runs)
      for (outputs, references) in zip(results, expected + expected) {
        for (output, reference) in zip(outputs, references) {
          let problem = disagreement(output, reference, rtol: 1e-6, atol: 1e-6)
          #expect(problem == nil, "on \(name): \(problem ?? "")")
        }
      }
    }
    return expected
  }
}
