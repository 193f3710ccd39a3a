import MLCCore
import MLCGraph
import MLCImportONNX
import Testing

/// Operators on texts, and what looks up values by keys.
@Suite struct TextOperatorTests {
  /// What the interpreter makes of one node on `inputs`; extents stay open where `isOpen`.
  private func results(
    _ type: String,
    _ inputs: [Tensor],
    _ attributes: [String: ONNXAttribute],
    domain: String = "",
    outputs: Int = 1
  ) throws -> [Tensor] {
    let names = inputs.indices.map { "x\($0)" }
    let results = (0..<outputs).map { "y\($0)" }
    let node = ONNXNode(opType: type, domain: domain, inputs: names, outputs: results, attributes: attributes)
    let infos = zip(names, inputs).map { name, tensor in
      let shape = tensor.shape.indices.map { Dim.symbol("\(name).\($0)") }
      return ONNXValueInfo(name: name, type: TensorType(tensor.dtype, shape))
    }
    let graph = ONNXGraph(nodes: [node], inputs: infos, outputs: results.map { ONNXValueInfo(name: $0) })
    let model = ONNXModel(irVersion: 10, opsets: ["": 20, "ai.onnx.ml": 4], graph: graph)
    let function = try ONNXImporter(file: "model.onnx").program(model).main
    try function.verify()
    return try Interpreter(function).run(inputs)
  }

  private func encoded(_ x: Tensor, _ attributes: [String: ONNXAttribute]) throws -> Tensor {
    try results("LabelEncoder", [x], attributes, domain: "ai.onnx.ml")[0]
  }

  private func words(_ strings: String...) -> Tensor { Tensor([strings.count], strings: strings) }

  @Test func texts() throws {
    let joined = try results("StringConcat", [words("a", "b"), words("\u{301}")], [:])
    #expect(joined == [words("a\u{301}", "b\u{301}")])
    let once: [String: ONNXAttribute] = ["delimiter": .string(","), "maxsplit": .int(1)]
    let split = try results("StringSplit", [words("a,b", ",")], once, outputs: 2)
    #expect(split == [Tensor([2, 2], strings: ["a", "b", "", ""]), Tensor(.int64, [2], [2, 2])])
    let matched = try results("RegexFullMatch", [words("ab", "b")], ["pattern": .string("a.")])
    #expect(matched == [Tensor(.bool, [2], [1, 0])])
    let normal: [String: ONNXAttribute] = [
      "case_change_action": .string("UPPER"), "stopwords": .strings(["A"]), "is_case_sensitive": .int(0),
    ]
    #expect(try results("StringNormalizer", [words("a", "b")], normal) == [words("B")])
    let unique = try results("Unique", [words("b", "a", "", "b", "a")], [:], outputs: 4)
    #expect(unique.dropFirst().map(\.integers) == [[2, 1, 0], [2, 1, 0, 2, 1], [1, 2, 2]])
    #expect(unique[0] == words("", "a", "b"))
    #expect(try results("Unique", [words("b", "a", "b")], ["sorted": .int(0)]) == [words("b", "a")])
    let rows = Tensor([3, 2], strings: ["b", "a", "a", "z", "b", "a"])
    #expect(
      try results("Unique", [rows], ["axis": .int(0)]) == [Tensor([2, 2], strings: ["a", "z", "b", "a"])]
    )
    #expect(try results("Cast", [words("2.5")], ["to": .int(1)]) == [Tensor([1], floats: [2.5])])
    #expect(try results("Cast", [Tensor([1], floats: [2.5])], ["to": .int(8)]) == [words("2.5")])
    #expect(try results("CastLike", [words("7"), Tensor(.int8, [1], [0])], [:]) == [Tensor(.int8, [1], [7])])
  }

  @Test func labelsOfTexts() throws {
    let table: [String: ONNXAttribute] = [
      "keys_strings": .strings(["a", "\u{e9}", ""]), "values_int64s": .ints([1, 2, 3]),
    ]
    let x = Tensor([2, 2], strings: ["\u{e9}", "\u{65}\u{301}", "", "a"])
    #expect(try encoded(x, table) == Tensor(.int64, [2, 2], [2, -1, 3, 1]))
    #expect(try encoded(Tensor([], strings: ["a"]), table) == .scalar(.int64, 1))
    let back: [String: ONNXAttribute] = [
      "keys_int64s": .ints([1, 1]), "values_strings": .strings(["a", "b"]), "default_string": .string("none"),
    ]
    #expect(try encoded(Tensor(.int64, [2], [1, 7]), back) == words("b", "none"))
    let floats: [String: ONNXAttribute] = ["keys_strings": .strings(["a"]), "values_floats": .floats([0.5])]
    #expect(try encoded(words("a", "b"), floats) == Tensor([2], floats: [0.5, -0.0]))
    let tensors: [String: ONNXAttribute] = [
      "keys_tensor": .tensor(words("a")), "values_tensor": .tensor(Tensor(.int16, [1], [7])),
      "default_tensor": .tensor(Tensor(.int16, [1], [42])),
    ]
    #expect(try encoded(words("b", "a"), tensors) == Tensor(.int16, [2], [42, 7]))
  }

  @Test func labelsOfNaN() throws {
    let table: [String: ONNXAttribute] = [
      "keys_floats": .floats([1, .nan, 2]), "values_strings": .strings(["one", "nan", "two"]),
    ]
    #expect(try encoded(Tensor([3], floats: [2, .nan, 3]), table) == words("two", "nan", "_Unused"))
    let alone: [String: ONNXAttribute] = ["keys_floats": .floats([.nan]), "values_int64s": .ints([9])]
    #expect(try encoded(Tensor([2], floats: [-.nan, 0]), alone) == Tensor(.int64, [2], [9, -1]))
  }

  /// So many keys are searched.
  @Test(arguments: [33, 64, 65, 1000])
  func manyKeys(_ count: Int) throws {
    let keys = (0..<count).map { $0 * 37 % count * 3 - 50 }
    let values = (0..<count).map { $0 * 5 }
    let table: [String: ONNXAttribute] = ["keys_int64s": .ints(keys), "values_int64s": .ints(values)]
    let x = Array(-60...3 * count)
    let expected = x.map { x in keys.lastIndex(of: x).map { values[$0] } ?? -1 }
    #expect(try encoded(Tensor(.int64, [x.count], x), table) == Tensor(.int64, [x.count], expected))
    let floats: [String: ONNXAttribute] = [
      "keys_floats": .floats(keys.map { Float($0) } + [.nan]),
      "values_floats": .floats(values.map { Float($0) } + [0.5]),
    ]
    let y = try encoded(Tensor([x.count + 1], floats: x.map { Float($0) } + [.nan]), floats)
    #expect(y == Tensor([x.count + 1], floats: expected.map { $0 < 0 ? -0.0 : Float($0) } + [0.5]))
  }

  @Test func earlyLabels() throws {
    let classes: [String: ONNXAttribute] = ["classes_strings": .strings(["a", "b"])]
    #expect(try encoded(words("b", "c"), classes) == Tensor(.int64, [2], [1, -1]))
    #expect(try encoded(Tensor(.int64, [3], [1, 2, -1]), classes) == words("b", "_Unused", "_Unused"))
  }

  @Test func categories() throws {
    let pairs: [String: ONNXAttribute] = ["cats_strings": .strings(["a", "b"]), "cats_int64s": .ints([7, 9])]
    let there = try results("CategoryMapper", [words("b", "c")], pairs, domain: "ai.onnx.ml")
    #expect(there == [Tensor(.int64, [2], [9, -1])])
    #expect(try results("CategoryMapper", [Tensor(.int64, [1], [7])], pairs, domain: "ai.onnx.ml") == [words("a")])
    let categories: [String: ONNXAttribute] = ["cats_strings": .strings(["a", "b"])]
    let hot = Tensor([2, 2], floats: [0, 1, 0, 0])
    #expect(try results("OneHotEncoder", [words("b", "c")], categories, domain: "ai.onnx.ml") == [hot])
    let numbers: [String: ONNXAttribute] = ["cats_int64s": .ints([0, 1]), "zeros": .int(0)]
    let known = try results("OneHotEncoder", [Tensor([1, 1], floats: [1.7])], numbers, domain: "ai.onnx.ml")
    #expect(known == [Tensor([1, 1, 2], floats: [0, 1])])
    #expect(throws: Diagnostic.self) {
      try results("OneHotEncoder", [Tensor([1], floats: [2])], numbers, domain: "ai.onnx.ml")
    }
  }

  /// Strings in every place of every operator are taken or refused, and none is read as a number.
  @Test func stringsWhereNumbersBelong() throws {
    var (taken, refused) = (0, 0)
    for rule in ONNXOperatorTable.rules {
      for (type, count) in rule.types.flatMap({ type in (1...4).map { (type, $0) } }) {
        for isConstant in [false, true] {
          let names = (0..<count).map { "x\($0)" }
          let node = ONNXNode(opType: type, domain: rule.domain, inputs: names, outputs: ["y"])
          let first = Tensor([2, 2], strings: ["", "1", "a", "2"])
          let values = names.indices.map { $0 == 0 ? first : Tensor([2], strings: ["1", "a"]) }
          let infos = zip(names, values).map { ONNXValueInfo(name: $0, type: $1.type) }
          let rest = zip(names, values).dropFirst().map { ($0, $1) }
          let graph = ONNXGraph(
            nodes: [node],
            initializers: isConstant ? Dictionary(uniqueKeysWithValues: rest) : [:],
            inputs: isConstant ? Array(infos.prefix(1)) : infos,
            outputs: [ONNXValueInfo(name: "y")]
          )
          let opsets = ["": 23].merging([rule.domain: rule.domain.isEmpty ? 23 : 4]) { first, _ in first }
          let model = ONNXModel(irVersion: 10, opsets: opsets, graph: graph)
          if (try? ONNXImporter(file: "model.onnx").program(model)) != nil { taken += 1 } else { refused += 1 }
        }
      }
    }
    #expect(taken > 40 && refused > 1000)
  }

  @Test func labelsOfClasses() throws {
    let attributes: [String: ONNXAttribute] = [
      "coefficients": .floats([1, -1]), "intercepts": .floats([0, 0]), "classlabels_strings": .strings(["no", "yes"]),
    ]
    let x = Tensor([2, 1], floats: [3, -3])
    let y = try results("LinearClassifier", [x], attributes, domain: "ai.onnx.ml", outputs: 2)
    #expect(y[0] == words("no", "yes"))
  }
}
