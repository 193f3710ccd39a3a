import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// `Squeeze` without axes, where the extents that decide the rank are known only as the model runs.
@Suite struct OpenSqueezeTests {
  private func program(_ shape: [Dim], _ nodes: [ONNXNode], giving type: TensorType? = nil) throws -> Program {
    let squeeze = ONNXNode(opType: "Squeeze", inputs: ["x"], outputs: ["y"])
    let graph = ONNXGraph(
      nodes: [squeeze] + nodes,
      inputs: [ONNXValueInfo(name: "x", type: TensorType(.float32, shape))],
      outputs: [ONNXValueInfo(name: "z", type: type)]
    )
    let model = ONNXModel(irVersion: 8, opsets: ["": 17], graph: graph)
    let program = try ONNXImporter(file: "model.onnx").program(model)
    try program.main.verify()
    return program
  }

  private func result(_ program: Program, _ shape: [Int]) throws -> Tensor {
    let values = (0..<shape.reduce(1, *)).map { Double($0) + 1 }
    return try Interpreter(program.main).run([Tensor(.float32, shape, values)])[0]
  }

  private func node(_ op: String, _ attributes: [String: ONNXAttribute] = [:], from x: String = "y", to y: String = "z")
    -> ONNXNode
  {
    ONNXNode(opType: op, inputs: [x], outputs: [y], attributes: attributes)
  }

  /// The rank, which `Shape` and `Size` give, follows every extent.
  @Test(arguments: [[1, 1, 1], [1, 2, 1], [3, 2, 1], [1, 1, 3], [2, 3, 4], [0, 1, 2]])
  func ranksFollowTheExtents(_ shape: [Int]) throws {
    let program = try program(["n", "m", "k"], [node("Shape", to: "own"), node("Size", from: "own")])
    #expect(program.notes.isEmpty)
    #expect(try result(program, shape).integers == [shape.count { $0 != 1 }])
  }

  /// A sum over all axes ends both sides.
  @Test func whatFollowsIsComputedAtBothRanks() throws {
    let nodes = [
      node("ReduceSum", ["keepdims": .int(0)], to: "s"), node("Relu", from: "s", to: "r"), node("Neg", from: "r"),
    ]
    let program = try program(["n", 1, "m"], nodes)
    #expect(program.notes.isEmpty)
    #expect(program.main.body.operations.last?.name == "neg")
    for shape in [[2, 1, 3], [1, 1, 6], [6, 1, 1]] {
      #expect(try result(program, shape) == Tensor([], floats: [-21]))
    }
  }

  /// Neither of two waits for the other; what both meet in comes behind.
  @Test func severalAreRead() throws {
    let other = ONNXNode(opType: "Squeeze", inputs: ["x"], outputs: ["o"])
    let nodes = [
      other, node("ReduceMax", ["keepdims": .int(0)], to: "a"),
      node("ReduceMin", ["keepdims": .int(0)], from: "o", to: "b"),
      ONNXNode(opType: "Sub", inputs: ["a", "b"], outputs: ["z"]),
    ]
    let program = try program(["n", "m"], nodes)
    for shape in [[1, 4], [4, 1], [2, 2]] { #expect(try result(program, shape) == Tensor([], floats: [3])) }
  }

  /// A transposition of one axis needs the other one to be 1: checked as the model runs.
  @Test func whatRunsSqueezedAloneIsChecked() throws {
    let program = try program(["n", 3], [node("Transpose", ["perm": .ints([0])])])
    #expect(program.notes.count == 1)
    #expect(try result(program, [1, 3]) == Tensor([3], floats: [1, 2, 3]))
    let error = #expect(throws: Diagnostic.self) { try result(program, [2, 3]) }
    #expect(error?.id == "squeeze.extent")
  }

  /// Those open axes go without which the result has the rank that the model declares.
  @Test func declaredRanksDecide() throws {
    let flat = try program(["n", 1, "m"], [node("Neg")], giving: TensorType(.float32, [Dim]()))
    #expect(flat.notes.isEmpty)
    #expect(try result(flat, [1, 1, 1]) == Tensor([], floats: [-1]))
    #expect(throws: Diagnostic.self) { try result(flat, [1, 1, 2]) }
    let matrix = try program(["n", 1, "m"], [node("Neg")], giving: TensorType(.float32, ["a", "b"]))
    #expect(matrix.notes.isEmpty)
    #expect(try result(matrix, [1, 1, 2]) == Tensor([1, 2], floats: [-1, -2]))
    // Either of them may be what goes.
    let row = try program(["n", 1, "m"], [node("Neg")], giving: TensorType(.float32, ["a"]))
    #expect(row.notes.isEmpty)
    for shape in [[1, 1, 2], [2, 1, 1]] { #expect(try result(row, shape) == Tensor([2], floats: [-1, -2])) }
    #expect(throws: Diagnostic.self) { try result(row, [2, 1, 2]) }
  }

  /// Where only the axis makes the model run, and where no declared rank fits, open axes stay, and that is said.
  @Test func openAxesStayElsewhere() throws {
    let turned = node("Transpose", ["perm": .ints([1, 0])])
    for (node, type) in [(turned, nil), (node("Neg"), TensorType(.float32, ["a", "b", "c"]))] {
      let program = try program(["n", 1, 3], [node], giving: type)
      #expect(program.notes.count == 1)
      #expect(program.notes[0].contains("open axes stay"))
      #expect(!program.main.body.operations.contains { $0.name == "cond" })
      #expect(try result(program, [1, 1, 3]).rank == 2)
    }
  }

  /// A result whose rank nothing says is refused, at the node.
  @Test func ranksThatNothingSaysAreRefused() {
    for shape: [Dim] in [["n", 1, 3], ["n", "m"]] {
      let error = #expect(throws: Diagnostic.self) { try program(shape, [node("Neg")]) }
      #expect(error?.id == "onnx.squeeze-rank")
      #expect(error?.location.node == "y")
    }
  }
}
