/// A piece of a word, as the model takes it.
struct Token: Sendable {
  let id: Int32
  /// Where it stands in the text.
  let range: Range<String.Index>
  /// Where the whole word stands.
  let word: Range<String.Index>
}

/// BERT's tokeniser: words, and of each the longest pieces that the vocabulary has, from its beginning on.
///
/// A word that cannot be put together from pieces is one unknown token, as is one of more than 100 characters. Texts
/// are taken as they are: `[SEP]` in one is no token that separates.
struct WordPieceTokenizer: Sendable {
  let vocabulary: Vocabulary
  let words: BasicTokenizer
  private static let longestWord = 100

  init(vocabulary: Vocabulary, lowercased: Bool = true) {
    (self.vocabulary, words) = (vocabulary, BasicTokenizer(lowercased: lowercased))
  }

  func tokens(of text: String) -> [Token] { words.words(of: text).flatMap(tokens) }

  private func tokens(of word: BasicTokenizer.Word) -> [Token] {
    let count = word.scalars.count
    func range(_ part: Range<Int>) -> Range<String.Index> {
      word.origins[part.lowerBound].lowerBound..<word.origins[part.upperBound - 1].upperBound
    }
    let whole = range(0..<count)
    let unknown = [Token(id: vocabulary.unknown, range: whole, word: whole)]
    if count > Self.longestWord { return unknown }
    var (tokens, start) = ([Token](), 0)
    while start < count {
      let ends = stride(from: count, to: start, by: -1)
      let ids = ends.lazy.map { ($0, vocabulary.id(of: word.scalars[start..<$0], beginning: start == 0)) }
      guard let (end, found) = ids.first(where: { $0.1 != nil }), let id = found else { return unknown }
      tokens.append(Token(id: id, range: range(start..<end), word: whole))
      start = end
    }
    return tokens
  }
}
