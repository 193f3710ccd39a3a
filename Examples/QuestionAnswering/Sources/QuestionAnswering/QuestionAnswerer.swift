import CoreML
import Foundation

/// What a paragraph says to a question.
struct Answer: Equatable, Sendable {
  /// As the paragraph has it: with its capitals, accents and line breaks.
  let text: String
  let range: Range<String.Index>
  /// How sure the model is, 0 … 1.
  let confidence: Float
}

/// Answers questions with words of a paragraph of any length.
struct QuestionAnswerer: Sendable {
  let model: ReadingModel
  let tokenizer: WordPieceTokenizer

  /// The model of this package, which was trained with 128 tokens, and its vocabulary.
  static func load(window: Int = 128) async throws -> QuestionAnswerer {
    guard let vocabulary = Bundle.module.url(forResource: "vocab", withExtension: "txt") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return QuestionAnswerer(
      model: try ReadingModel(try await FactReader.load().model, window: window),
      tokenizer: WordPieceTokenizer(vocabulary: try Vocabulary(contentsOf: vocabulary))
    )
  }

  /// The answer to `question` in `paragraph`, in whole words; `nil` where it has none. Of the answers in the windows of
  /// a long paragraph it is the one of which the model is surest.
  func answer(_ question: String, in paragraph: String) throws -> Answer? {
    let tokens = tokenizer.tokens(of: paragraph)
    let windows = try Window.windows(
      question: tokenizer.tokens(of: question).map(\.id),
      paragraph: tokens.map(\.id),
      length: model.window,
      vocabulary: tokenizer.vocabulary
    )
    let logits = try model.logits(windows, padding: tokenizer.vocabulary.padding)
    let spans = zip(windows, logits).compactMap { Span.best(in: $0, starts: $1.starts, ends: $1.ends) }
    guard let best = spans.max(by: { $0.probability < $1.probability }) else { return nil }
    let words = tokens[best.tokens.lowerBound].word.lowerBound..<tokens[best.tokens.upperBound].word.upperBound
    // Accents that stand as characters of their own belong to the letters before them.
    let range = paragraph.rangeOfComposedCharacterSequences(for: words)
    return Answer(text: String(paragraph[range]), range: range, confidence: best.probability)
  }
}
