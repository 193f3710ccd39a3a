import MLCCore
import Testing

@Suite struct JSONTests {
  @Test func keepsValues() throws {
    let value = JSON.object([
      "a": .array([.integer(1), .integer(.min), .number(-0.25), .bool(true), .null]),
      "ключ\n\"\\\u{1}": .string("\u{7f}😀\t"),
      "empty": .object([:]), "none": .array([]), "nested": .array([.object(["x": .array([.string("")])])]),
    ])
    #expect(try JSON(parsing: value.text) == value)
  }

  @Test func sortsKeys() {
    #expect(JSON.object(["b": .integer(2), "a": .integer(1)]).text == "{\"a\": 1, \"b\": 2}\n")
  }

  @Test func readsEscapes() throws {
    #expect(try JSON(parsing: #"["\u0041\ud83d\ude00\/\b\f\n\r\t"]"#) == .array([.string("A😀/\u{8}\u{c}\n\r\t")]))
    #expect(
      try JSON(parsing: "[1e2, -0.5E-1, 99999999999999999999]")
        == .array([
          .number(100), .number(-0.05), .number(1e20),
        ])
    )
  }

  @Test func refusesWhatIsNotJSON() {
    let texts = [
      "", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "1.", "1e", "-", "+1", "tru", "\"",
      "\"\\x\"", "\"\\u12\"",
      #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "\"\n\"", "1 2", "{\"a\":1,\"a\":2}", "1e999", "nul",
    ]
    for text in texts {
      #expect("\(text)") { try JSON(parsing: text) } throws: { ($0 as? Diagnostic)?.id == "json.syntax" }
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect { try JSON(parsing: deep) } throws: { ($0 as? Diagnostic)?.id == "json.too-large" }
    let invalid: [UInt8] = [0x22, 0xff, 0x22]
    #expect(throws: Diagnostic.self) { try invalid.withUnsafeBytes { _ = try JSON(parsing: $0) } }
  }
}
