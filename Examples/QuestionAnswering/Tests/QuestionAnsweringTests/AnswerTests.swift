import CoreML
import Foundation
import Testing

@testable import QuestionAnswering

/// The package's own model, on what it has not seen.
@Suite struct AnswerTests {
  @Test func questionsGetTheRightWords() async throws {
    let answerer = try await QuestionAnswerer.load()
    let samples: [Samples.Question] = try Samples.read("questions.json")
    let right = try samples.filter { sample in
      try answerer.answer(sample.question, in: sample.paragraph)?.text ?? "" == sample.answer
    }
    #expect(samples.count == 60 && right.count >= 57, "\(right.count) of \(samples.count)")
  }

  private static let paragraph =
    "Ann lives in Oslo and works as a baker. Tom has two black cats. Vera was born in 1984."

  @Test(arguments: [
    ("Where does Ann live?", "Oslo"), ("What is Ann's job?", "baker"), ("What pets does Tom own?", "two black cats"),
    ("When was Vera born?", "1984"), ("Where does Tom live?", nil),
  ])
  func aPersonReadsTheAnswer(_ question: String, _ answer: String?) async throws {
    let found = try await QuestionAnswerer.load().answer(question, in: Self.paragraph)
    #expect(found?.text == answer)
    if let found {
      #expect(String(Self.paragraph[found.range]) == answer)
      #expect(found.confidence > 0.5 && found.confidence <= 1)
    }
  }

  /// The model reads "zurich" and "creme brulee", however the accents are stored.
  @Test(arguments: [
    ("Where does JÜRGEN live?", "Jürgen lives in Zürich.", "Zürich"),
    ("Where does jurgen live?", "Ju\u{308}rgen lives in Zu\u{308}rich.", "Zu\u{308}rich"),
    ("What does Zoë like?", "Zoë likes crème brûle\u{301}e.", "crème brûle\u{301}e"),
    ("Where does Ann live?", "Ann lives in the\n  south of\r\nFrance.", "the\n  south of\r\nFrance"),
  ])
  func answersAreTheTextsOwn(_ question: String, _ paragraph: String, _ answer: String) async throws {
    let found = try await QuestionAnswerer.load().answer(question, in: paragraph)
    // Scalar by scalar: texts are equal in Swift however their accents are stored.
    #expect(found.map { Array($0.text.unicodeScalars) } == Array(answer.unicodeScalars))
  }

  /// Wherever the fact stands among some 300 tokens, of which the model sees 128 or 64.
  @Test(arguments: [(128, 0), (128, 7), (128, 15), (128, 30), (64, 0), (64, 11), (64, 12), (64, 13), (64, 30)])
  func longParagraphsAreReadInWindows(_ window: Int, _ place: Int) async throws {
    var sentences = (0..<30).map { ["It rained all day.", "The sun was warm.", "Nobody knew why."][$0 % 3] }
    sentences.insert("Paula moved to New York.", at: place)
    sentences.insert("Henry lives in Athens.", at: (place + 15) % 30)
    let answerer = try await QuestionAnswerer.load(window: window)
    let answer = try answerer.answer("Where does Paula live?", in: sentences.joined(separator: " "))
    #expect(answer?.text == "New York")
  }

  /// A model of fixed lengths takes padded windows: what is padded changes nothing.
  @Test func paddingChangesNothing() async throws {
    let (model, tokenizer) = (try await FactReader.load().model, try Samples.tokenizer())
    let windows = try Window.windows(
      question: tokenizer.tokens(of: "Where does Ann live?").map(\.id),
      paragraph: tokenizer.tokens(of: Self.paragraph).map(\.id),
      length: 28,
      vocabulary: tokenizer.vocabulary
    )
    #expect(windows.count > 1)
    let open = try ReadingModel(model).logits(windows, padding: 0)
    let padded = try ReadingModel(model, lengths: .some([32, 48, 128])).logits(windows, padding: 0)
    #expect(open.count == windows.count)
    for (one, other) in zip(open, padded) {
      #expect(one.starts.count == other.starts.count && !one.starts.isEmpty)
      for (a, b) in zip(one.starts + one.ends, other.starts + other.ends) { #expect(abs(a - b) < 1e-3) }
    }
  }

  @Test func nothingAnswersNothing() async throws {
    let answerer = try await QuestionAnswerer.load()
    for paragraph in ["", " \n", "\u{200B}"] { #expect(try answerer.answer("Where?", in: paragraph) == nil) }
  }
}
