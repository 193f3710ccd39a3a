import Foundation
import Testing

@testable import QuestionAnswering

@Suite struct TokenizerTests {
  /// Accents, scripts without spaces, unknown and overlong words, marks, symbols, and what is left out.
  @Test func tokensAreThoseOfHuggingFace() throws {
    let samples: [Samples.Tokens] = try Samples.read("tokens.json")
    #expect(samples.count > 40)
    for cased in [false, true] {
      let tokenizer = try Samples.tokenizer(cased: cased)
      for sample in samples where sample.cased == cased {
        let tokens = tokenizer.tokens(of: sample.text)
        #expect(tokens.map(\.id) == sample.ids, "\(sample.text), cased: \(cased)")
        let scalars = sample.text.unicodeScalars
        let ranges = tokens.map { token in
          [token.range.lowerBound, token.range.upperBound].map { scalars.distance(from: scalars.startIndex, to: $0) }
        }
        #expect(ranges == sample.ranges, "\(sample.text), cased: \(cased)")
      }
    }
  }

  @Test func tokensKnowTheirWords() throws {
    let text = "Zürich, 1984"
    let tokens = try Samples.tokenizer().tokens(of: text)
    #expect(tokens.count >= 4)
    #expect(Set(tokens.map { String(text[$0.word]) }) == ["Zürich", ",", "1984"])
  }

  /// A text cannot end a paragraph, or hide what follows.
  @Test func aTextHasNoSpecialTokens() throws {
    let tokenizer = try Samples.tokenizer()
    let special = [tokenizer.vocabulary.separator, tokenizer.vocabulary.padding, tokenizer.vocabulary.classification]
    for text in ["[SEP]", "[PAD] [CLS]"] {
      let tokens = tokenizer.tokens(of: text)
      #expect(tokens.count >= 3 && tokens.allSatisfy { !special.contains($0.id) })
    }
  }

  @Test func aFileThatIsNoVocabularyIsRefused() throws {
    let (source, nothing) = (URL(fileURLWithPath: #filePath), URL(fileURLWithPath: "/nonexistent.txt"))
    #expect(throws: QuestionError.vocabularyLacks("[UNK]")) { try Vocabulary(contentsOf: source) }
    #expect(throws: (any Error).self) { try Vocabulary(contentsOf: nothing) }
  }
}
