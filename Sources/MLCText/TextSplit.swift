import MLCCore

/// The division of texts into pieces at a delimiter.
///
/// An empty delimiter stands for runs of white space, and no piece is empty then: a text of white space alone has none.
/// Of another each occurrence divides, and pieces may be empty: an empty text has one. At most `limit` divisions are
/// made, from the left, and the rest is the last piece, without white space before it. Divisions are equal where the
/// UTF-8 of their delimiters is. Source: ONNX `StringSplit`, Python's `str.split`.
package struct TextSplit: Sendable {
  package var delimiter: String
  package var limit: Int?

  package init(delimiter: String, limit: Int?) { (self.delimiter, self.limit) = (delimiter, limit) }

  package func pieces(of text: String) -> [String] {
    delimiter.isEmpty ? words(of: Array(text.unicodeScalars)) : parts(of: Array(text.utf8))
  }

  private func words(of text: [Unicode.Scalar]) -> [String] {
    func string(_ range: Range<Int>) -> String {
      var result = String.UnicodeScalarView()
      result.append(contentsOf: text[range])
      return String(result)
    }
    var pieces: [String] = []
    var start = 0
    while true {
      while start < text.count, text[start].isSpace { start += 1 }
      if start == text.count { return pieces }
      if let limit, pieces.count >= limit { return pieces + [string(start..<text.count)] }
      var end = start
      while end < text.count, !text[end].isSpace { end += 1 }
      pieces.append(string(start..<end))
      start = end
    }
  }

  private func parts(of text: [UInt8]) -> [String] {
    let mark = Array(delimiter.utf8)
    var pieces: [String] = []
    var (start, place) = (0, 0)
    while place + mark.count <= text.count, limit.map({ pieces.count < $0 }) ?? true {
      if text[place..<place + mark.count].elementsEqual(mark) {
        pieces.append(String(decoding: text[start..<place], as: UTF8.self))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    return pieces + [String(decoding: text[start...], as: UTF8.self)]
  }
}

extension TextSplit: Hashable {
  package static func == (a: TextSplit, b: TextSplit) -> Bool {
    a.delimiter.isSameText(as: b.delimiter) && a.limit == b.limit
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(UTF8Text(delimiter))
    hasher.combine(limit)
  }
}

extension Unicode.Scalar {
  /// Unicode's white space, and the separators of ASCII.
  fileprivate var isSpace: Bool { properties.isWhitespace || (0x1c...0x1f).contains(value) }
}
