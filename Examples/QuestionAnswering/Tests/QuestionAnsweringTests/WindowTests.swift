import Testing

@testable import QuestionAnswering

@Suite struct WindowTests {
  private static func windows(_ question: Int, _ paragraph: Int, _ length: Int) throws -> [Window] {
    try Window.windows(
      question: Array(repeating: 1000, count: question),
      paragraph: Array(0..<Int32(paragraph)),
      length: length,
      vocabulary: try Samples.tokenizer().vocabulary
    )
  }

  @Test(arguments: [(1, 1), (29, 61), (30, 61), (31, 61), (200, 64), (1000, 384), (999, 20), (7, 9)])
  func everyTokenMayBeginOneAnswer(_ paragraph: Int, _ length: Int) throws {
    let windows = try Self.windows(2, paragraph, max(length, 9))
    #expect(windows.flatMap { Array($0.own) } == Array(0..<paragraph))
    for window in windows {
      #expect(window.ids.count <= max(length, 9) && window.types.count == window.ids.count)
      #expect(window.part.lowerBound <= window.own.lowerBound && window.own.upperBound <= window.part.upperBound)
      let part = window.ids[window.offset..<window.offset + window.part.count]
      #expect(Array(part) == window.part.map { Int32($0) })
      #expect(window.types.reduce(0, +) == Int32(window.part.count + 1))
    }
    // Of neighbours, none ends where an answer of the other begins.
    for (left, right) in zip(windows, windows.dropFirst()) {
      let common = left.part.upperBound - right.part.lowerBound
      #expect(common == min(128, (max(length, 9) - 5) / 2))
      #expect(left.part.upperBound - left.own.upperBound >= common / 2)
    }
  }

  @Test func noParagraphHasNoWindow() throws { #expect(try Self.windows(3, 0, 30).isEmpty) }

  @Test func aQuestionLeavesHalfOfTheWindow() throws {
    #expect(try Self.windows(30, 5, 63).count == 1)
    #expect(throws: QuestionError.questionTooLong(tokens: 31, window: 63)) { try Self.windows(31, 5, 63) }
    #expect(throws: QuestionError.questionTooLong(tokens: 0, window: 3)) { try Self.windows(0, 5, 3) }
  }

  /// `[CLS]`, a question, `[SEP]`, five tokens, `[SEP]`.
  @Test func spansAreOrderedAndBounded() throws {
    let window = try #require(try Self.windows(1, 5, 30).first)
    let (low, high) = (Float(-9), Float(9))
    // The question's, and what separates, cannot answer; an end before the beginning is none.
    let starts: [Float] = [0, 50, 50, low, low, high, low, low, 50]
    #expect(
      Span.best(in: window, starts: starts, ends: [0, 50, 50, 8, low, low, 7, low, 50])?.tokens == 2...3
    )
    let wide: [Float] = [0, 0, 0, high, low, low, low, low, 0]
    let ends: [Float] = [0, 0, 0, low, low, 4, low, high, 0]
    let long = try #require(Span.best(in: window, starts: wide, ends: ends))
    #expect(long.tokens == 0...4 && long.probability > 0.98 && long.probability <= 1)
    #expect(Span.best(in: window, starts: wide, ends: ends, longest: 3)?.tokens == 0...2)
    #expect(Span.best(in: window, starts: [20] + wide.dropFirst(), ends: ends) == nil)
    // As sure of either of two.
    let twice = [low, 0, 0, 5, low, 5, low, low, 0]
    let two = try #require(Span.best(in: window, starts: twice, ends: [low, 0, 0, low, low, low, low, 5, 0]))
    #expect(abs(two.probability - 0.5) < 0.01)
  }
}
