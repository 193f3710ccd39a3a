import Foundation

/// The pieces of words that a BERT knows: a file with one a line, whose number, from 0, is its id.
struct Vocabulary: Sendable {
  let unknown: Int32
  let classification: Int32
  let separator: Int32
  let padding: Int32
  /// By their scalars: pieces that Unicode holds for equal have ids of their own.
  private let beginnings: [ArraySlice<Unicode.Scalar>: Int32]
  /// Those with `##`, which go on with a word.
  private let continuations: [ArraySlice<Unicode.Scalar>: Int32]

  init(contentsOf url: URL) throws {
    let text = try String(contentsOf: url, encoding: .utf8)
    var (beginnings, continuations) = ([ArraySlice<Unicode.Scalar>: Int32](), [ArraySlice<Unicode.Scalar>: Int32]())
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (id, line) in zip(Int32(0)..., lines) {
      var piece = ArraySlice(line)
      while let last = piece.last, last.properties.isWhitespace { piece.removeLast() }
      if piece.starts(with: "##".unicodeScalars) && piece.count > 2 {
        continuations[ArraySlice(Array(piece.dropFirst(2)))] = id
      } else if !piece.isEmpty {
        beginnings[ArraySlice(Array(piece))] = id
      }
    }
    func special(_ name: String) throws -> Int32 {
      guard let id = beginnings[ArraySlice(name.unicodeScalars)] else { throw QuestionError.vocabularyLacks(name) }
      return id
    }
    (unknown, classification) = (try special("[UNK]"), try special("[CLS]"))
    (separator, padding) = (try special("[SEP]"), try special("[PAD]"))
    (self.beginnings, self.continuations) = (beginnings, continuations)
  }

  /// The id of a piece at the beginning of a word, or further on in it.
  func id(of piece: ArraySlice<Unicode.Scalar>, beginning: Bool) -> Int32? {
    beginning ? beginnings[piece] : continuations[piece]
  }
}
