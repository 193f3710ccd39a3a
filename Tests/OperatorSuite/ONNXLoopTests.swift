import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// ONNX `Loop`: numbers are those of onnxruntime.
@Suite struct ONNXLoopTests {
  private typealias Model = ONNXRounds
  private let x = ONNXRounds.value("x", .float32, [3])
  private let limit = ONNXRounds.value("M", .int64, [])
  private let truth = ONNXRounds.constant("t", .scalar(.bool, 1))

  private func node(
    _ op: String,
    _ inputs: [String],
    _ output: String,
    _ attributes: [String: ONNXAttribute] = [:]
  ) -> ONNXNode {
    Model.node(op, inputs, [output], attributes)
  }

  private func loop(_ inputs: [String], _ outputs: [String], _ body: ONNXAttribute) -> ONNXNode {
    Model.node("Loop", inputs, outputs, ["body": body])
  }

  private func count(_ number: Int) -> Tensor { .scalar(.int64, number) }

  /// Doubles until the sum is 100 or more; `M` may end it earlier.
  @Test func conditionEndsTheRounds() throws {
    let body = Model.body(
      ["i", "c", "v"],
      [
        node("Add", ["v", "v"], "w"), node("ReduceSum", ["w"], "s", ["keepdims": .int(0)]),
        Model.constant("most", .scalar(.float32, 100)), node("Less", ["s", "most"], "k"), node("Neg", ["w"], "r"),
      ],
      ["k", "w", "r"]
    )
    let function = try Model.function([x, limit], [truth, loop(["M", "t", "x"], ["y", "z"], body)], ["y", "z"])
    let data = Tensor([3], floats: [1, 2, 0.5])
    let results = try Model.results(function, [0, 1, 3, 100].map { [data, count($0)] })
    for (result, rounds) in zip(results, [0, 1, 3, 5]) {
      let last = Float(1 << rounds)
      let rows = (0..<rounds).flatMap { round in [1, 2, 0.5].map { Float(-2 << round) * $0 } }
      #expect(result == [Tensor([3], floats: [last, 2 * last, last / 2]), Tensor([rounds, 3], floats: rows)])
    }
  }

  /// Neither a limit nor a condition: the body alone decides. Scalars are stacked to a vector.
  @Test func bodyAloneDecides() throws {
    let body = Model.body(
      ["i", "c", "v"],
      [
        node("Mul", ["v", "v"], "w"), node("ReduceMax", ["w"], "r", ["keepdims": .int(0)]),
        Model.constant("most", .scalar(.float32, 100)), node("Less", ["r", "most"], "k"),
      ],
      ["k", "w", "r"]
    )
    let inputs = [Model.value("x", .float32, [2]), Model.value("go", .bool, [])]
    let function = try Model.function(inputs, [loop(["", "go", "x"], ["y", "z"], body)], ["y", "z"])
    let data = Tensor([2], floats: [1.5, 2])
    let results = try Model.results(function, [[data, .scalar(.bool, 1)], [data, .scalar(.bool, 0)]])
    #expect(results[0] == [Tensor([2], floats: [25.62890625, 256]), Tensor([3], floats: [4, 16, 256])])
    #expect(results[1] == [data, Tensor([0], floats: [])])
  }

  /// The number of rounds is an input, negative ones are none; the body reads the round's number and `x` around it.
  @Test func limitAtRunTime() throws {
    let body = Model.body(
      ["i", "c", "v"],
      [
        node("Cast", ["i"], "f", ["to": .int(1)]), node("Add", ["v", "f"], "w"), node("Identity", ["c"], "k"),
        node("Mul", ["w", "x"], "r"), node("Identity", ["i"], "s"),
      ],
      ["k", "w", "r", "s"]
    )
    let function = try Model.function([x, limit], [loop(["M", "", "x"], ["y", "z", "s"], body)], ["y", "z", "s"])
    let data = Tensor([3], floats: [1, 2, 0.5])
    let results = try Model.results(function, [0, 3, -3].map { [data, count($0)] })
    let rows = Tensor([3, 3], floats: [1, 4, 0.25, 2, 6, 0.75, 4, 10, 1.75])
    #expect(results[1] == [Tensor([3], floats: [4, 5, 3.5]), rows, Tensor(.int64, [3], [0, 1, 2])])
    for none in [0, 2] { #expect(results[none] == [data, Tensor([0, 3], floats: []), Tensor(.int64, [0], [Int]())]) }
  }

  /// Nothing is carried; the body reads `x` around it, and its inputs and condition are vectors of one.
  @Test func rowsAlone() throws {
    let body = Model.body(
      [Model.value("i", .int64, [1]), Model.value("c", .bool, [1])],
      [node("Identity", ["c"], "k"), node("Cast", ["i"], "f", ["to": .int(1)]), node("Mul", ["x", "f"], "r")],
      [Model.value("k", .bool, [1]), ONNXValueInfo(name: "r")]
    )
    let inputs = [x, Model.value("M", .int64, [1]), Model.value("go", .bool, [1])]
    let function = try Model.function(inputs, [loop(["M", "go"], ["z"], body)], ["z"])
    let data = Tensor([3], floats: [1, 2, 0.5])
    let runs = [(2, 1), (2, 0), (0, 1)].map { [data, Tensor(.int64, [1], [$0]), Tensor(.bool, [1], [$1])] }
    let results = try Model.results(function, runs)
    let none = [Tensor([0, 3], floats: [])]
    #expect(results == [[Tensor([2, 3], floats: [0, 0, 0, 1, 2, 0.5])], none, none])
  }

  /// Four rounds in each of `M`, which read the values of both bodies and what is around them: rows of rank 2.
  @Test func loopsInLoops() throws {
    let inner = Model.body(
      ["j", "c2", "v2"],
      [
        node("Add", ["i", "j"], "p"), node("Cast", ["p"], "f", ["to": .int(1)]), node("Add", ["v2", "f"], "a"),
        node("Mul", ["a", "v"], "w2"), node("Identity", ["c2"], "k2"), node("Add", ["a", "x"], "r2"),
      ],
      ["k2", "w2", "r2"]
    )
    let body = Model.body(
      ["i", "c", "v"],
      [node("Identity", ["c"], "k"), loop(["four", "t", "v"], ["w", "r"], inner)],
      ["k", "w", "r"]
    )
    let nodes = [truth, Model.constant("four", count(4)), loop(["M", "t", "x"], ["y", "z"], body)]
    let function = try Model.function([Model.value("x", .float32, [2]), limit], nodes, ["y", "z"])
    let data = Tensor([2], floats: [1, -2])
    let results = try Model.results(function, [[data, count(2)], [data, count(0)]])
    let rows: [Float] = [2, -4, 3, 3, 5, -10, 8, 17, 9, -39, 59, 1406, 410, -53503, 2868, 2_033_040]
    #expect(results[0] == [Tensor([2], floats: [20069, -77_255_600]), Tensor([2, 4, 2], floats: rows)])
    #expect(results[1] == [data, Tensor([0, 4, 2], floats: [])])
  }

  /// A known number of rounds gives rows of known shape, each written in its place.
  @Test func knownRoundsGiveKnownShapes() throws {
    let body = Model.body(
      ["i", "c", "v"],
      [
        node("Identity", ["c"], "k"), node("Sub", ["x", "v"], "w"),
        node("ReduceSum", ["w"], "s", ["keepdims": .int(0)]),
      ],
      ["k", "w", "w", "s"]
    )
    let nodes = [truth, Model.constant("M", count(5)), loop(["M", "t", "x"], ["y", "z", "s"], body)]
    let function = try Model.function([Model.value("x", .float16, ["n", 2])], nodes, ["y", "z", "s"])
    #expect(function.outputs.map { function.type($0).shape } == [["n", 2], [5, "n", 2], [5]])
    let rounds = function.body.operations.first { $0.name == "while_loop" }
    let names = rounds?.blocks[1].operations.map(\.name) ?? []
    #expect(names.contains("scatter_nd") && !names.contains("concat"))
    let results = try Model.results(function, [[Tensor(.float16, [1, 2], [1.0, 2.0])]])
    let rows = Tensor(.float16, [5, 1, 2], [0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0])
    #expect(
      results[0] == [Tensor(.float16, [1, 2], [0.0, 0.0]), rows, Tensor(.float16, [5], [0.0, 3.0, 0.0, 3.0, 0.0])]
    )
  }

  /// A carried value that grows by a row each round.
  @Test func carriedValuesGrow() throws {
    let body = Model.body(
      ["i", "c", "v"],
      [
        node("Identity", ["c"], "k"), node("ReduceSum", ["v"], "s", ["keepdims": .int(1)]),
        node("Add", ["x", "s"], "e"), node("Concat", ["v", "e"], "w", ["axis": .int(0)]),
      ],
      ["k", "w"]
    )
    let inputs = [Model.value("x", .float32, [1, 3]), limit]
    let function = try Model.function(inputs, [truth, loop(["M", "t", "x"], ["y"], body)], ["y"], opset: 11)
    let data = Tensor([1, 3], floats: [1, 2, 0.5])
    let results = try Model.results(function, [0, 2].map { [data, count($0)] })
    #expect(results == [[data], [Tensor([3, 3], floats: [1, 2, 0.5, 4.5, 5.5, 4, 18.5, 19.5, 18])]])
  }

  /// The trip count is an extent of an input: so many rows, whatever it is.
  @Test func limitThatIsAnExtent() throws {
    let body = Model.body(
      ["i", "c", "v"],
      [node("Identity", ["c"], "k"), node("Gather", ["x", "i"], "row"), node("Add", ["v", "row"], "w")],
      ["k", "w", "w"]
    )
    let nodes = [
      truth, node("Shape", ["x"], "shape"), Model.constant("zero", Tensor(.int64, [1], [0])),
      node("Gather", ["shape", "zero"], "M"), Model.constant("init", Tensor([2], floats: [0, 0])),
      loop(["M", "t", "init"], ["y", "z"], body),
    ]
    let function = try Model.function([Model.value("x", .float32, ["n", 2])], nodes, ["y", "z"])
    #expect(function.type(function.outputs[1]).shape == ["n", 2])
    let results = try Model.results(function, [[Tensor([3, 2], floats: [1, 2, 3, 4, 5, 6])]])
    #expect(results[0] == [Tensor([2], floats: [9, 12]), Tensor([3, 2], floats: [1, 2, 4, 6, 9, 12])])
  }

  /// Extents that only the round's number decides are those that the body declares.
  @Test func declaredExtentsHold() throws {
    let nodes = [
      node("Identity", ["c"], "k"), Model.constant("one", Tensor(.int64, [1], [1])),
      node("Unsqueeze", ["i", "axis"], "from"), node("Add", ["from", "one"], "to"),
      node("Slice", ["x", "from", "to"], "part"), node("Add", ["v", "part"], "w"),
    ]
    let outputs = [Model.value("k", .bool, []), Model.value("w", .float32, [1]), Model.value("part", .float32, [1])]
    let body = Model.body(["i", "c", "v"].map { ONNXValueInfo(name: $0) }, nodes, outputs)
    let all = [
      truth, Model.constant("axis", Tensor(.int64, [1], [0])), Model.constant("v0", Tensor([1], floats: [10])),
      loop(["M", "t", "v0"], ["y", "z"], body),
    ]
    let function = try Model.function([x, limit], all, ["y", "z"])
    let results = try Model.results(function, [[Tensor([3], floats: [1, 2, 0.5]), count(2)]])
    #expect(results[0] == [Tensor([1], floats: [13]), Tensor([2, 1], floats: [1, 2])])
  }

  /// What a body does that rounds cannot carry or stack.
  @Test(arguments: ["rank", "type", "rows", "end", "count"]) func refused(_ what: String) {
    var (nodes, last, outputs) = ([node("Identity", ["c"], "k")], ["x"], ["k", "w"])
    var most = "M"
    switch what {
    case "rank": nodes.append(node("Unsqueeze", ["v", "axis"], "w"))
    case "type": nodes.append(node("Cast", ["v"], "w", ["to": .int(7)]))
    case "rows":
      nodes += [node("Neg", ["v"], "w"), node("NonZero", ["w"], "r")]
      outputs.append("r")
    case "end":
      nodes.append(node("Neg", ["v"], "w"))
      most = ""
    default: last = []
    }
    let body = Model.body(["i", "c", "v"], nodes, outputs)
    let results = what == "rows" ? ["y", "z"] : ["y"]
    let all = [
      truth, Model.constant("axis", Tensor(.int64, [1], [0])), loop([most, "t"] + last, results, body),
    ]
    let error = #expect(throws: Diagnostic.self) { try Model.function([x, limit], all, ["y"]) }
    #expect(error?.id == "onnx.loop" && error?.location.node == "y", "\(String(describing: error))")
    #expect((error?.kind == .unsupported) == ["rank", "rows"].contains(what))
  }
}
