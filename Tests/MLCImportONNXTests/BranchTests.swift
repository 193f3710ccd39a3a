import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// `If` nodes whose sides give values of different ranks.
@Suite struct BranchTests {
  private let x = ONNXValueInfo(name: "x", type: TensorType(.float32, ["n", "m"]))

  private func node(_ op: String, _ inputs: [String], _ output: String, _ attributes: [String: ONNXAttribute] = [:])
    -> ONNXNode
  {
    ONNXNode(opType: op, inputs: inputs, outputs: [output], attributes: attributes)
  }

  private func body(_ node: ONNXNode, giving output: String) -> ONNXAttribute {
    var graph = ONNXGraph(nodes: [node], outputs: [ONNXValueInfo(name: output)])
    graph.captures = node.inputs
    return .graph(graph)
  }

  /// `Squeeze` of the last axis of `x` if its extent is 1.
  private func squeezing(_ condition: String = "alone") -> [ONNXNode] {
    [
      node("Shape", ["x"], "shape"),
      node("Gather", ["shape", "last"], "extent"),
      node("Equal", ["extent", "one"], "alone"),
      node(
        "If",
        [condition],
        "y",
        [
          "then_branch": body(node("Squeeze", ["x", "last"], "yes"), giving: "yes"),
          "else_branch": body(node("Identity", ["x"], "no"), giving: "no"),
        ]
      ),
    ]
  }

  private func program(_ nodes: [ONNXNode], _ inputs: [ONNXValueInfo]? = nil) throws(Diagnostic) -> Program {
    let graph = ONNXGraph(
      nodes: nodes,
      initializers: ["last": Tensor(.int64, [1], [1]), "one": Tensor(.int64, [1], [1])],
      inputs: inputs ?? [x],
      outputs: [ONNXValueInfo(name: "z")]
    )
    return try ONNXImporter(file: "model.onnx").program(ONNXModel(irVersion: 8, opsets: ["": 17], graph: graph))
  }

  private func results(_ program: Program, _ shapes: [[Int]]) throws -> [Tensor] {
    try program.main.verify()
    return try shapes.map { shape in
      let values = (0..<shape.reduce(1, *)).map { Double($0) + 1 }
      return try Interpreter(program.main).run([Tensor(.float32, shape, values)])[0]
    }
  }

  /// Both sides take in `ReduceSum`, behind which they agree; `Relu` stays outside.
  @Test func bothSidesTakeInWhatFollowsUntilTheyAgree() throws {
    let nodes =
      squeezing() + [
        node("ReduceMax", ["y"], "s", ["keepdims": .int(0)]), node("Neg", ["s"], "z"),
      ]
    let program = try program(nodes)
    #expect(program.notes.isEmpty)
    #expect(program.main.body.operations.last?.name == "neg")
    #expect(program.main.body.operations.filter { $0.name == "cond" }.count == 1)
    #expect(try results(program, [[2, 1], [2, 3]]) == [Tensor([], floats: [-2]), Tensor([], floats: [-6])])
  }

  /// What asks for the rank is decided on each side.
  @Test func theRankDecidesOnEachSide() throws {
    let nodes =
      squeezing() + [
        node("Shape", ["y"], "own"), node("Size", ["own"], "rank"), node("Equal", ["rank", "one"], "flat"),
        node(
          "If",
          ["flat"],
          "z",
          [
            "then_branch": body(node("Unsqueeze", ["y", "last"], "wide"), giving: "wide"),
            "else_branch": body(node("Neg", ["y"], "turned"), giving: "turned"),
          ]
        ),
      ]
    let program = try program(nodes)
    let conditions = program.main.body.operations.filter { $0.name == "cond" }
    #expect(conditions.count == 1)
    #expect(conditions[0].blocks.allSatisfy { $0.operations.allSatisfy { $0.blocks.isEmpty } })
    let found = try results(program, [[2, 1], [1, 2]])
    #expect(found == [Tensor([2, 1], floats: [1, 2]), Tensor([1, 2], floats: [-1, -2])])
  }

  /// A transposition of two axes cannot run behind the squeezed side: the other is compiled, and noted.
  @Test func aSideThatCannotRunIsLeftOut() throws {
    let program = try program(squeezing() + [node("Transpose", ["y"], "z", ["perm": .ints([1, 0])])])
    #expect(program.notes.count == 1)
    #expect(program.notes[0].contains("else_branch"))
    #expect(try results(program, [[1, 2]]) == [Tensor([2, 1], floats: [1, 2])])
    let error = #expect(throws: Diagnostic.self) { try results(program, [[2, 1]]) }
    #expect(error?.id == "ensure.violated")
  }

  /// Where nothing brings the ranks together, the node is named.
  @Test func resultsOfDifferentRanksAreRefused() {
    let error = #expect(throws: Diagnostic.self) { try program(squeezing() + [node("Neg", ["y"], "z")]) }
    #expect(error?.id == "cond.rank")
    #expect(error?.location.node == "y")
  }

  /// A condition that sizes decide leaves one side, whose sound side is all that is converted.
  @Test func aKnownConditionLeavesOneSide() throws {
    let three = ONNXValueInfo(name: "x", type: TensorType(.float32, ["n", 3]))
    let program = try program(squeezing() + [node("Neg", ["y"], "z")], [three])
    #expect(!program.main.body.operations.contains { $0.name == "cond" || $0.name == "squeeze" })
    #expect(program.main.type(program.main.outputs[0]).shape == ["n", 3])
  }

  /// Neither of two branches waits for the other.
  @Test func severalAreRead() throws {
    var second = squeezing()[3]
    second.outputs = ["w"]
    second.attributes["then_branch"] = body(node("Squeeze", ["x", "last"], "gone"), giving: "gone")
    second.attributes["else_branch"] = body(node("Identity", ["x"], "there"), giving: "there")
    let nodes =
      squeezing() + [
        second, node("ReduceMax", ["y"], "s", ["keepdims": .int(0)]),
        node("ReduceMin", ["w"], "t", ["keepdims": .int(0)]),
        node("Sub", ["s", "t"], "z"),
      ]
    let program = try program(nodes)
    #expect(try results(program, [[2, 1], [2, 3]]) == [Tensor([], floats: [1]), Tensor([], floats: [5])])
  }

  /// Nodes that do not depend on the branch are not doubled.
  @Test func whatDoesNotDependStaysOutside() throws {
    let nodes =
      squeezing() + [
        node("Exp", ["x"], "other"), node("ReduceMax", ["y"], "s", ["keepdims": .int(0)]),
        node("Add", ["other", "s"], "z"),
      ]
    let program = try program(nodes)
    #expect(program.main.body.operations.filter { $0.name == "exp" }.count == 1)
    _ = try results(program, [[2, 1], [2, 3]])
  }
}
