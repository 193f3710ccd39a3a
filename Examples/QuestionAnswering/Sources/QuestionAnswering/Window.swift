/// A question and a part of a paragraph, as the model takes them: `[CLS] question [SEP] part [SEP]`.
struct Window: Equatable, Sendable {
  let ids: [Int32]
  /// Where the part begins in `ids`.
  let offset: Int
  /// Which of the paragraph's tokens the part is.
  let part: Range<Int>
  /// Those of them with which an answer may begin: of tokens that two windows have, each has those that stand further
  /// from its edge.
  let own: Range<Int>

  /// What the model calls token types: 0 for the question, 1 for the part.
  var types: [Int32] { ids.indices.map { $0 < offset ? 0 : 1 } }

  /// Windows of at most `length` tokens that cover a paragraph. Neighbours have up to 128 tokens in common, at most
  /// half a window: an answer at the edge of one stands inside the other.
  ///
  /// Throws when the question leaves less than half of the window to the paragraph.
  static func windows(
    question: [Int32],
    paragraph: [Int32],
    length: Int,
    vocabulary: Vocabulary
  ) throws -> [Window] {
    let capacity = length - question.count - 3
    guard capacity >= 1, 2 * capacity >= length - 3 else {
      throw QuestionError.questionTooLong(tokens: question.count, window: length)
    }
    let overlap = min(128, capacity / 2)
    let head = [vocabulary.classification] + question + [vocabulary.separator]
    var windows: [Window] = []
    for start in stride(from: 0, to: max(paragraph.count - overlap, 1), by: capacity - overlap) {
      let part = start..<min(start + capacity, paragraph.count)
      if part.isEmpty { break }
      let isLast = part.upperBound == paragraph.count
      let first = start == 0 ? 0 : start + overlap / 2
      // The next window begins with the overlap.
      let end = isLast ? part.upperBound : part.upperBound - overlap + overlap / 2
      windows.append(
        Window(
          ids: head + paragraph[part] + [vocabulary.separator],
          offset: head.count,
          part: part,
          own: first..<end
        )
      )
    }
    return windows
  }
}
