import MLCCore
import MLCText
import Testing

@Suite struct TextNumbersTests {
  @Test func textsHaveNumbers() {
    var numbers = TextNumbers()
    #expect(numbers.isEmpty && numbers.number(of: "") == 0)
    #expect(numbers.take("\u{e9}") == 1)
    #expect(numbers.take("\u{65}\u{301}") == 2)
    #expect(numbers.take("\u{e9}") == 1 && numbers.take("") == 0)
    #expect(numbers.texts.utf8Texts == ["", "\u{e9}", "\u{65}\u{301}"].utf8Texts)
  }

  @Test func tablesAreDistinct() {
    #expect(TextNumbers(["", "a", "b"])?.number(of: "b") == 2)
    #expect(TextNumbers(["a"]) == nil && TextNumbers([]) == nil && TextNumbers(["", "a", "a"]) == nil)
    #expect(TextNumbers(["", "\u{e9}", "\u{65}\u{301}"]) != nil)
  }

  /// An operation is what its words say.
  @Test func operationsReadBack() {
    let operations: [TextOperation] = [
      .concat, .countPieces(TextSplit(delimiter: "", limit: nil)), .split(TextSplit(delimiter: "é", limit: 3)),
      .normalize(TextNormalizer(change: .upper, isCaseSensitive: true, stopwords: ["a", ""])), .parse(.int8),
      .format(.float16), .rank,
    ]
    for operation in operations { #expect(TextOperation(words: operation.words) == operation) }
    let wrong = [
      [], ["concat", "a"], ["rank", "a"], ["split"], ["parse", "x"], ["normalize", "UP", "true"], ["split", "", "x"],
    ]
    for words in wrong {
      #expect(TextOperation(words: words) == nil)
    }
  }
}
