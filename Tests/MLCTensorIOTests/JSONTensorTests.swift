import MLCCore
import MLCTensorIO
import Testing

@Suite struct JSONTensorTests {
  private func decode(_ text: String) throws(Diagnostic) -> [(name: String?, tensor: Tensor)] {
    try JSONTensor.decode(storage(Array(text.utf8)))
  }

  @Test func readsNestedArrays() throws {
    #expect(try decode("[[1, 2], [3, -4]]")[0].tensor == Tensor(.int64, [2, 2], [1, 2, 3, -4]))
    #expect(try decode(" [1, 2.5e1]\n")[0].tensor == Tensor(.float64, [2], [1, 25] as [Double]))
    #expect(try decode("[true, false]")[0].tensor == Tensor(.bool, [2], [1, 0]))
    #expect(try decode("[[], []]")[0].tensor == Tensor(.float64, [2, 0], [Double]()))
    #expect(try decode("[9223372036854775808]")[0].tensor == Tensor(.float64, [1], [0x1p63]))
    #expect(try decode("[9007199254740993]")[0].tensor == Tensor(.int64, [1], [9_007_199_254_740_993]))
    let specials = try decode("[NaN, Infinity, -Infinity]")[0].tensor.doubles
    #expect(specials[0].isNaN && specials[1] == .infinity && specials[2] == -.infinity)
  }

  @Test func readsNamedTensors() throws {
    let tensors = try decode(#"{"a\n\u00e9\ud83d\ude00": [1], "b": 2}"#)
    #expect(tensors.map { $0.name } == ["a\n\u{e9}\u{1f600}", "b"])
    #expect(tensors[1].tensor == Tensor(.int64, [], [2]))
  }

  @Test func readsAndWritesTexts() throws {
    let texts = Tensor([2, 1], strings: ["a\"\n", "\u{1f600}"])
    #expect(try decode(#"{"x": [["a\"\n"], ["\ud83d\ude00"]]}"#)[0].tensor == texts)
    #expect(try decode(JSONTensor.encode(texts))[0].tensor == texts)
    #expect(try decode("\"\"")[0].tensor == Tensor([], strings: [""]))
  }

  @Test func refusesWhatIsNoTensor() {
    let cases: [(text: String, id: String)] = [
      ("", "json.element"), ("[", "json.element"), ("[1", "json.syntax"), ("[1,]", "json.element"),
      ("[1 2]", "json.syntax"), ("[1] 2", "json.syntax"), ("[+1]", "json.syntax"), ("[1.]", "json.syntax"),
      ("[--1]", "json.syntax"), ("[null]", "json.element"), ("[\"a\", 1]", "json.element"),
      ("[true, \"a\"]", "json.element"), ("[\"a]", "json.syntax"),
      ("[1, true]", "json.element"), ("[true, 1]", "json.element"), ("[[1], 2]", "json.shape"),
      ("[[1, 2], [3]]", "json.shape"), ("[[[]], []]", "json.shape"), ("[[1], []]", "json.shape"),
      (String(repeating: "[", count: 100_000), "json.shape"), ("{\"a\": 1, \"a\": 2}", "json.syntax"),
      ("{\"a\" 1}", "json.syntax"), ("{\"a", "json.syntax"), ("{\"\\x\": 1}", "json.syntax"),
    ]
    for (text, id) in cases {
      #expect(diagnosticID { () throws(Diagnostic) in _ = try decode(text) } == id, "\(text.prefix(40))")
    }
  }

  @Test func noChangeTraps() {
    let text = Array(#"{"a": [[1, 2.5], [-3e2, NaN]], "b\u00e9": [true, false]}"#.utf8)
    for (index, mutation) in mutations(of: text, flips: 5000).enumerated() {
      let id = diagnosticID { () throws(Diagnostic) in _ = try JSONTensor.decode(storage(mutation)) }
      if index < text.count { #expect(id != nil) }
    }
  }

  @Test func writtenNumbersReadBack() throws {
    let floats = Tensor([2, 2], floats: [0.1, -1e-38, 3.4028235e38, .nan])
    #expect(JSONTensor.encode(floats) == "[[0.1, -1e-38], [3.4028235e+38, NaN]]")
    let back = try decode(JSONTensor.encode(floats))[0].tensor.floats
    #expect(back[..<3] == [0.1, -1e-38, 3.4028235e38])
    let wide = Tensor(.uint64, [1], [-1])
    #expect(JSONTensor.encode(wide) == "[18446744073709551615]")
  }

  @Test func filesRoundTrip() throws {
    try withFolder { folder in
      let tensors: [(name: String, tensor: Tensor)] = [
        ("quote\"\u{1}", Tensor(.int64, [2], [1, 2])), ("flag", Tensor(.bool, [], [1])),
      ]
      try TensorFile.write(tensors, to: "\(folder)/x.json")
      let back = try TensorFile.read("\(folder)/x.json")
      #expect(back.map { $0.name } == tensors.map { $0.name })
      #expect(back.map { $0.tensor } == tensors.map { $0.tensor })
    }
  }
}
