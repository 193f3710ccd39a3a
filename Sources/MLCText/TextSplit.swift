/// The division of texts into pieces at a delimiter.
///
/// An empty delimiter stands for runs of white space, and no piece is empty then; of another each occurrence divides. At
/// most `limit` divisions are made, from the left, and the rest is the last piece. Source: ONNX `StringSplit`, Python's
/// `str.split`.
package struct TextSplit: Hashable, Sendable {
  package var delimiter: String
  package var limit: Int?

  package init(delimiter: String, limit: Int?) { (self.delimiter, self.limit) = (delimiter, limit) }

  /// The pieces of `text`; none of an empty one.
  package func pieces(of text: String) -> [String] {
    if text.isEmpty { return [] }
    return delimiter.isEmpty ? words(of: Array(text.unicodeScalars)) : parts(of: Array(text.utf8))
  }

  private func words(of text: [Unicode.Scalar]) -> [String] {
    func isSpace(_ index: Int) -> Bool { text[index].properties.isWhitespace }
    func string(_ range: Range<Int>) -> String {
      var result = String.UnicodeScalarView()
      result.append(contentsOf: text[range])
      return String(result)
    }
    var pieces: [String] = []
    var start = 0
    while true {
      while start < text.count, isSpace(start) { start += 1 }
      if start == text.count { return pieces }
      if let limit, pieces.count == limit {
        var end = text.count
        while isSpace(end - 1) { end -= 1 }
        return pieces + [string(start..<end)]
      }
      var end = start
      while end < text.count, !isSpace(end) { end += 1 }
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
