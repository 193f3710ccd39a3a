import MLCCore
import MLCText
import Testing

@Suite struct TextSplitTests {
  private struct Row: Decodable { var text, delimiter: String, limit: Int, pieces: [String] }

  /// Python's `str.split` on random texts.
  @Test func splitsAsPython() throws {
    let rows: [Row] = try fixture("splits")
    #expect(rows.count == 300)
    let wrong = rows.filter { row in
      let split = TextSplit(delimiter: row.delimiter, limit: row.limit < 0 ? nil : row.limit)
      return split.pieces(of: row.text).utf8Texts != row.pieces.utf8Texts
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test func emptyTexts() {
    #expect(TextSplit(delimiter: ",", limit: nil).pieces(of: "") == [""])
    #expect(TextSplit(delimiter: "", limit: nil).pieces(of: "") == [])
    #expect(TextSplit(delimiter: "", limit: 0).pieces(of: " \u{2003}") == [])
  }

  @Test func delimitersAreTheirBytes() {
    let composed = TextSplit(delimiter: "\u{e9}", limit: nil)
    #expect(composed.pieces(of: "a\u{65}\u{301}b").count == 1)
    #expect(composed.pieces(of: "a\u{e9}b") == ["a", "b"])
    #expect(composed != TextSplit(delimiter: "\u{65}\u{301}", limit: nil))
    // A delimiter may be a part of what Swift takes for one character.
    let letter = TextSplit(delimiter: "\u{65}", limit: nil).pieces(of: "a\u{65}\u{301}")
    #expect(letter.utf8Texts == ["a", "\u{301}"].utf8Texts)
    let line = TextSplit(delimiter: "\n", limit: nil).pieces(of: "a\r\nb")
    #expect(line.utf8Texts == ["a\r", "b"].utf8Texts)
  }
}
