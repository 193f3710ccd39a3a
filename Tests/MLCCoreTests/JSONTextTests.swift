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

  /// As editors of Windows write it: a mark that is no character of the text.
  @Test func aByteOrderMarkIsPassedOver() throws {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = try JSONText(mark + Array("{\"a\": 1,\n \"b\": [2]}".utf8))
    #expect(text.value == .object(["a": .integer(1), "b": .array([.integer(2)])]))
    #expect(text.position(of: []).description == "1:1")
    #expect(text.position(of: [.key("a")]).description == "1:2")
    #expect(text.position(of: [.key("b"), .index(0)]).description == "2:8")
    for (bytes, place) in [(mark, "1:1"), (mark + [0x7b, 0x78], "1:2"), (mark + mark + [0x31], "1:1")] {
      #expect("\(bytes)") { try JSONText(bytes) } throws: {
        let problem = $0 as? Diagnostic
        return problem?.id == "json.syntax" && problem?.location.position?.description == place
      }
    }
  }

  @Test func widerEncodingsAreNamed() {
    let units = Array("{\"a\": 1}".utf16)
    let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    let big = units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    for bytes in [[0xff, 0xfe] + little, [0xfe, 0xff] + big, little, big, [0xff, 0xfe]] {
      #expect("\(bytes)") { try JSONText(bytes) } throws: {
        let problem = $0 as? Diagnostic
        return problem?.id == "json.syntax" && problem?.location.position == TextPosition(line: 1, column: 1)
          && problem?.message.contains("UTF-16") == true && problem?.notes.first?.contains("UTF-8") == true
      }
    }
  }

  @Test func mistakesAreLocated() {
    #expect { try JSONText(Array("{\n  \"a\" 1}".utf8)) } throws: {
      ($0 as? Diagnostic)?.location.position == TextPosition(line: 2, column: 7)
    }
  }
}
