import MLCCore
import Testing

/// Where the parts of a JSON file are.
@Suite struct JSONTextTests {
  private func position(_ text: String, _ path: JSONText.Step...) throws -> String {
    try JSONText(Array(text.utf8)).position(of: path).description
  }

  @Test func membersAndItems() throws {
    let text = """
      {
        "a": [1, "x,]}", {"b": {}}],
        "c\\u0041": {"d": [[], [true, null, -1.5e3]]}
      }
      """
    #expect(try position(text) == "1:1")
    #expect(try position(text, .key("a")) == "2:3")
    #expect(try position(text, .key("a"), .index(1)) == "2:12")
    #expect(try position(text, .key("a"), .index(2), .key("b")) == "2:21")
    #expect(try position(text, .key("cA")) == "3:3")
    #expect(try position(text, .key("cA"), .key("d"), .index(1), .index(2)) == "3:38")
  }

  @Test func whatIsNotThereIsWhereItsParentIs() throws {
    #expect(try position("\n {\"a\": 1}", .key("b")) == "2:2")
    #expect(try position("{\"a\": [1]}", .key("a"), .index(4), .key("x")) == "1:2")
    #expect(try position("{\"a\": 1}", .index(0)) == "1:1")
    #expect(try position("[]", .index(0)) == "1:1")
  }

  @Test func columnsCountCharacters() throws {
    #expect(try position("{\"äöü\": 1, \"b\": 2}", .key("b")) == "1:12")
  }

  @Test func mistakesAreLocated() {
    #expect { try JSONText(Array("{\n  \"a\" 1}".utf8)) } throws: {
      ($0 as? Diagnostic)?.location.position == TextPosition(line: 2, column: 7)
    }
  }
}
