import MLCCore
import Testing

@Suite struct DiagnosticTests {
  @Test func namesTheNodeOfTheUsersModel() {
    let problem = Diagnostic(
      "conv.channels",
      "3 input channels, weight expects 4",
      at: Location(file: "model.onnx", node: "Conv_7", op: "Conv"),
      notes: ["the weight is 'w'"]
    )
    let expected = """
      model.onnx: Conv_7 (Conv): error: 3 input channels, weight expects 4 [conv.channels]
        note: the weight is 'w'
      """
    #expect(problem.description == expected)
  }

  @Test func whatIsKnownInsideWins() throws {
    let thrown = #expect(throws: Diagnostic.self) {
      try locating(Location(file: "m.onnx", node: "outer")) { () throws(Diagnostic) in
        throw Diagnostic("a.b", "c", at: Location(node: "inner"))
      }
    }
    #expect(thrown?.location == Location(file: "m.onnx", node: "inner"))
  }

  @Test func manyNotesAreCounted() {
    let notes = (0..<250).map { "note \($0)" }
    let lines = Diagnostic("a.b", "many", notes: notes).description.split(separator: "\n")
    #expect(lines.count == 102 && lines[100].hasSuffix("note 99") && lines[101].hasSuffix("and 150 more"))
  }
}
