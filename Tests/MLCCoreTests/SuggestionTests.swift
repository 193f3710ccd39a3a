import MLCCore
import Testing

/// What is proposed for a word that is none.
@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("clasName", "className", 1), ("ab", "ba", 1), ("A", "a", 0),
  ])
  func distance(a: String, b: String, expected: Int) {
    #expect(a.editDistance(to: b) == expected && b.editDistance(to: a) == expected)
  }

  @Test func nearWordsAreProposed() {
    let words = ["targets", "className"]
    #expect(words.suggestion(for: "target") == "did you mean 'targets'?")
    #expect(words.suggestion(for: "precision") == "there are targets, className")
    #expect(words.suggestion(for: String(repeating: "x", count: 100_000)) == "there are targets, className")
    #expect([String]().suggestion(for: "a") == "there are ")
  }
}
