import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// ONNX' sequences and optionals, as the interpreter and generated code have them.
@Suite struct ONNXSequenceTests {
  private typealias Model = ONNXRounds
  private let place = ONNXRounds.value("i", .int64, [])

  private func node(
    _ op: String,
    _ inputs: [String],
    _ output: String,
    _ attributes: [String: ONNXAttribute] = [:]
  ) -> ONNXNode {
    Model.node(op, inputs, [output], attributes)
  }

  private func number(_ value: Int) -> Tensor { .scalar(.int64, value) }

  private func ramp(_ shape: [Int], from start: Int = 0) -> Tensor {
    Tensor(shape, floats: (0..<shape.reduce(1, *)).map { Float(start + $0) })
  }

  /// Pieces of one length, and of several; the model knows them, and the run says which is read.
  @Test(arguments: [2, 4])
  func elementsAreReadAtRunTime(length: Int) throws {
    let nodes = [
      Model.constant("length", number(2)), node("SplitToSequence", ["x", "length"], "s"),
      node("SequenceAt", ["s", "i"], "y"), node("SequenceLength", ["s"], "n"),
    ]
    let function = try Model.function([Model.value("x", .float32, [Dim(length + 3)]), place], nodes, ["y", "n"])
    let x = ramp([length + 3])
    let pieces = stride(from: 0, to: length + 3, by: 2).map { begin in
      Tensor([min(2, length + 3 - begin)], floats: (begin..<min(begin + 2, length + 3)).map(Float.init))
    }
    let places = Array(-pieces.count..<pieces.count)
    let results = try Model.results(function, places.map { [x, number($0)] })
    for (result, place) in zip(results, places) {
      #expect(result == [pieces[place < 0 ? place + pieces.count : place], number(pieces.count)])
    }
    let beyond = #expect(throws: Diagnostic.self) { try Interpreter(function).run([x, number(pieces.count)]) }
    #expect(beyond?.id == "ensure.violated" || beyond?.id == "gather.index", "\(String(describing: beyond))")
  }

  /// A list that a loop makes: rows of one shape, then joined along an axis and side by side.
  @Test func loopsGatherRows() throws {
    let body = Model.body(
      ["k", "c", "s"],
      [
        node("Cast", ["k"], "f", ["to": .int(1)]), node("Mul", ["x", "f"], "row"),
        node("SequenceInsert", ["s", "row"], "t"), node("Identity", ["c"], "d"),
      ],
      ["d", "t"]
    )
    let nodes = [
      node("SequenceEmpty", [], "none"), node("Loop", ["i", "", "none"], "all", ["body": body]),
      node("ConcatFromSequence", ["all"], "y", ["axis": .int(1)]),
      node("ConcatFromSequence", ["all"], "z", ["axis": .int(-1), "new_axis": .int(1)]),
      node("SequenceLength", ["all"], "n"),
    ]
    let function = try Model.function([Model.value("x", .float32, [2, 2]), place], nodes, ["y", "z", "n"])
    let x = Tensor([2, 2], floats: [1, 2, 3, 4])
    let results = try Model.results(function, [1, 3].map { [x, number($0)] })
    #expect(
      results[0] == [Tensor([2, 2], floats: [0, 0, 0, 0]), Tensor([2, 2, 1], floats: [0, 0, 0, 0]), number(1)]
    )
    #expect(results[1][0] == Tensor([2, 6], floats: [0, 0, 1, 2, 2, 4, 0, 0, 3, 4, 6, 8]))
    #expect(results[1][1] == Tensor([2, 2, 3], floats: [0, 1, 2, 0, 2, 4, 0, 3, 6, 0, 4, 8]))
  }

  /// How many a loop makes, where nothing else of it is read.
  @Test func countsOfWhatALoopMakes() throws {
    let body = Model.body(
      ["k", "c", "s"],
      [node("SequenceInsert", ["s", "x"], "t"), node("Identity", ["c"], "d")],
      ["d", "t"]
    )
    let nodes = [
      node("SequenceEmpty", [], "none"), node("Loop", ["i", "", "none"], "all", ["body": body]),
      node("SequenceErase", ["all"], "rest"), node("SequenceLength", ["rest"], "n"),
    ]
    let function = try Model.function([Model.value("x", .float32, [2]), place], nodes, ["n"])
    let results = try Model.results(function, [1, 4].map { [ramp([2]), number($0)] })
    #expect(results == [[number(0)], [number(3)]])
  }

  /// Rows of several lengths, put in front, read back, taken out and joined.
  @Test func loopsGatherRowsOfSeveralShapes() throws {
    let body = Model.body(
      ["k", "c", "s"],
      [
        node("Add", ["k", "one"], "end"), node("Unsqueeze", ["end", "axes"], "ends"),
        node("Slice", ["x", "zeros", "ends", "last"], "row"), node("SequenceInsert", ["s", "row", "zero"], "t"),
        node("Identity", ["c"], "d"),
      ],
      ["d", "t"]
    )
    let nodes = [
      Model.constant("one", number(1)), Model.constant("zero", number(0)),
      Model.constant("axes", Tensor(.int64, [1], [0])), Model.constant("zeros", Tensor(.int64, [1], [0])),
      Model.constant("last", Tensor(.int64, [1], [1])), node("SequenceEmpty", [], "none"),
      node("Loop", ["i", "", "none"], "all", ["body": body]), node("SequenceErase", ["all"], "rest"),
      node("ConcatFromSequence", ["rest"], "y", ["axis": .int(1)]), node("SequenceAt", ["rest", "zero"], "first"),
    ]
    let x = Model.value("x", .float32, [2, 4])
    let function = try Model.function([x, place], nodes, ["y", "first", "rest"])
    #expect(function.outputNames == ["y", "first", "rest.elements", "rest.shapes"])
    let result = try Model.results(function, [[ramp([2, 4]), number(3)]])[0]
    #expect(result[0] == Tensor([2, 5], floats: [0, 1, 2, 0, 1, 4, 5, 6, 4, 5]))
    #expect(result[1] == Tensor([2, 3], floats: [0, 1, 2, 4, 5, 6]))
    #expect(result[2] == Tensor([10], floats: [0, 1, 2, 4, 5, 6, 0, 1, 4, 5]))
    #expect(result[3] == Tensor(.int64, [2, 2], [2, 3, 2, 2]))
  }

  /// Lengths that the run says, along an axis in the middle: joined again they are what was split.
  @Test func piecesOfComputedLengths() throws {
    let lengths = Model.value("lengths", .int64, ["count"])
    let nodes = [
      node("SplitToSequence", ["x", "lengths"], "s", ["axis": .int(1)]), node("SequenceAt", ["s", "i"], "y"),
      node("ConcatFromSequence", ["s"], "z", ["axis": .int(1)]), node("SequenceLength", ["s"], "n"),
    ]
    let x = Model.value("x", .float32, [2, "length", 3])
    let function = try Model.function([x, lengths, place], nodes, ["y", "z", "n"])
    let data = ramp([2, 5, 3])
    let runs = [[2, 0, 3], [5], [1, 1, 1, 2]]
    let results = try Model.results(function, runs.map { [data, Tensor(.int64, [$0.count], $0), number(-1)] })
    for (result, lengths) in zip(results, runs) {
      let begin = 5 - lengths.last!
      let rows = (0..<2).flatMap { row in (begin * 3..<15).map { Float(row * 15 + $0) } }
      #expect(result == [Tensor([2, lengths.last!, 3], floats: rows), data, number(lengths.count)])
    }
    let short = #expect(throws: Diagnostic.self) {
      try Interpreter(function).run([data, Tensor(.int64, [1], [4]), number(0)])
    }
    #expect(short?.id == "ensure.violated")
  }

  /// A body for each element: of a list, whose count is known, and of a sequence that the caller gives.
  @Test func mapsOverSequences() throws {
    let body = Model.body(
      [Model.value("a", .float32), Model.value("b", .float32)],
      [node("Add", ["a", "b"], "c"), node("Shape", ["a"], "d")],
      [Model.value("c", .float32), Model.value("d", .int64)]
    )
    let split = [Model.constant("length", number(2)), node("SplitToSequence", ["x", "length"], "s")]
    let map = Model.node("SequenceMap", ["s", "b"], ["y", "z"], ["body": body])
    let b = Model.value("b", .float32, [1])
    let one = Tensor([1], floats: [10])
    let known = try Model.function([Model.value("x", .float32, [3]), b], split + [map], ["y", "z"], opset: 17)
    #expect(known.outputNames == ["y.0", "y.1", "z.0", "z.1"])
    let list = try Model.results(known, [[ramp([3]), one]])[0]
    #expect(list[0] == Tensor([2], floats: [10, 11]) && list[1] == Tensor([1], floats: [12]))
    #expect(list[2] == Tensor(.int64, [1], [2]) && list[3] == Tensor(.int64, [1], [1]))

    var given = Model.value("s", .float32, ["n"])
    given.isSequence = true
    let open = try Model.function([given, b], [map], ["y", "z"], opset: 17)
    #expect(open.inputs.map { open[$0].name } == ["s.elements", "s.shapes", "b"])
    let runs = [[2, 3, 0, 1], [], [4]].map { counts in
      [ramp([counts.reduce(0, +)]), Tensor(.int64, [counts.count, 1], counts), one]
    }
    for (result, run) in zip(try Model.results(open, runs), runs) {
      #expect(result[0] == Tensor(run[0].shape, floats: run[0].doubles.map { Float($0) + 10 }))
      #expect(result[1] == run[1] && result[2].integers == run[1].integers)
    }
  }

  /// An optional that one side of a branch leaves empty, asked and read behind it.
  @Test func branchesGiveOptionals() throws {
    var output = ONNXValueInfo(name: "o")
    output.isOptional = true
    let full = Model.body([], [node("Optional", ["x"], "o")], [output])
    let empty = Model.body([], [node("Optional", [], "o")], [output])
    let read = Model.body([], [node("OptionalGetElement", ["q"], "v")], [ONNXValueInfo(name: "v")])
    let other = Model.body([], [node("Neg", ["x"], "v")], [ONNXValueInfo(name: "v")])
    let nodes = [
      node("If", ["go"], "q", ["then_branch": full, "else_branch": empty]),
      node("OptionalHasElement", ["q"], "has"),
      node("If", ["has"], "y", ["then_branch": read, "else_branch": other]),
    ]
    let inputs = [Model.value("x", .float32, [2]), Model.value("go", .bool, [])]
    let function = try Model.function(inputs, nodes, ["y", "q"])
    #expect(function.outputNames == ["y", "q.present", "q"])
    let x = ramp([2], from: 1)
    let results = try Model.results(function, [[x, .scalar(.bool, 1)], [x, .scalar(.bool, 0)]])
    #expect(results[0] == [x, .scalar(.bool, 1), x])
    #expect(results[1][0] == Tensor([2], floats: [-1, -2]) && results[1][1] == .scalar(.bool, 0))
  }

  /// The other side's zeros, 16 GiB of them, are made where it is taken.
  @Test func branchesGiveLargeOptionals() throws {
    var output = ONNXValueInfo(name: "o")
    output.isOptional = true
    let full = Model.body([], [node("Optional", ["x"], "o")], [output])
    let empty = Model.body([], [node("Optional", [], "o")], [output])
    let nodes = [node("If", ["go"], "q", ["then_branch": full, "else_branch": empty])]
    let inputs = [Model.value("x", .float32, [1_048_576, 4096]), Model.value("go", .bool, [])]
    let function = try Model.function(inputs, nodes, ["q"])
    #expect(function.values.allSatisfy { $0.fact.value?.count ?? 0 <= 2 })
  }

  /// What a model may leave out: it is asked for, and not read where it is missing.
  @Test func optionalInputs() throws {
    var optional = Model.value("o", .float32, [2])
    optional.isOptional = true
    let nodes = [node("OptionalHasElement", ["o"], "has"), node("OptionalGetElement", ["o"], "y")]
    let function = try Model.function([optional], nodes, ["has", "y"])
    #expect(function.inputs.map { function[$0].name } == ["o", "o.present"])
    let results = try Model.results(function, [[ramp([2]), .scalar(.bool, 1)]])
    #expect(results[0] == [.scalar(.bool, 1), ramp([2])])
    let missing = #expect(throws: Diagnostic.self) { try Interpreter(function).run([ramp([2]), .scalar(.bool, 0)]) }
    #expect(missing?.id == "ensure.violated")
  }

  /// Elements that no sequence holds, places that are in none, and operators that take tensors alone.
  @Test(arguments: ["types", "place", "empty", "tensor", "ranks"])
  func impossibleSequencesAreRefused(what: String) {
    let inputs = [Model.value("x", .float32, [2]), Model.value("m", .float32, [2, 2]), place]
    let pair = node("SequenceConstruct", ["x", "x"], "s")
    let nodes: [ONNXNode] =
      switch what {
      case "types": [node("SequenceConstruct", ["x", "i"], "y")]
      case "place": [pair, Model.constant("two", number(2)), node("SequenceAt", ["s", "two"], "y")]
      case "empty": [node("SequenceEmpty", [], "s"), node("SequenceAt", ["s", "i"], "y")]
      case "tensor": [pair, node("Relu", ["s"], "y")]
      default: [node("SequenceConstruct", ["x", "m"], "s"), node("SequenceAt", ["s", "i"], "y")]
      }
    let error = #expect(throws: Diagnostic.self) { try Model.function(inputs, nodes, ["y"]) }
    #expect(error?.id == "onnx.sequence" && error?.location.node == "y", "\(String(describing: error))")
    #expect((error?.kind == .unsupported) == (what == "ranks"))
  }
}
