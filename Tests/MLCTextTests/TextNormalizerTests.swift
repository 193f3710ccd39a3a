import MLCCore
import MLCText
import Testing

@Suite struct TextNormalizerTests {
  private let week = ["Monday", "tuesday", "WEDNESDAY", "monday"]

  private func normalized(_ change: TextNormalizer.CaseChange, _ isSensitive: Bool, _ words: [String]) -> [String] {
    TextNormalizer(change: change, isCaseSensitive: isSensitive, stopwords: words).normalized(week)
  }

  @Test func stopwords() {
    #expect(normalized(.none, true, ["monday"]) == ["Monday", "tuesday", "WEDNESDAY"])
    #expect(normalized(.none, false, ["MONDAY"]) == ["tuesday", "WEDNESDAY"])
    #expect(normalized(.upper, true, ["monday"]) == ["MONDAY", "TUESDAY", "WEDNESDAY"])
    #expect(normalized(.lower, true, []) == ["monday", "tuesday", "wednesday", "monday"])
  }

  @Test func nothingLeft() {
    #expect(normalized(.lower, false, ["monday", "tuesday", "wednesday"]) == [""])
    #expect(TextNormalizer(change: .none, isCaseSensitive: true, stopwords: []).normalized([]) == [""])
  }

  /// Words are their UTF-8, and letters become as many as Unicode maps them to.
  @Test func beyondASCII() {
    let keep = TextNormalizer(change: .none, isCaseSensitive: true, stopwords: ["\u{e9}"])
    #expect(keep.normalized(["\u{65}\u{301}", "\u{e9}"]).utf8Texts == ["\u{65}\u{301}"].utf8Texts)
    #expect(keep != TextNormalizer(change: .none, isCaseSensitive: true, stopwords: ["\u{65}\u{301}"]))
    let upper = TextNormalizer(change: .upper, isCaseSensitive: false, stopwords: ["ÄRGER"])
    #expect(upper.normalized(["ärger", "straße", "日"]) == ["STRASSE", "日"])
  }
}
