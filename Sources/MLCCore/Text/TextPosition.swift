/// A place in a text file: its line and column, both counted from 1 on, columns in characters of Unicode.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  package var line: Int, column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  /// That of byte `offset` of UTF-8 text, or of its end. A byte order mark before the text is not counted.
  package init(_ text: UnsafeRawBufferPointer, offset: Int) {
    var before = text[..<min(max(offset, 0), text.count)]
    if before.starts(with: JSONScanner.byteOrderMark) { before = before.dropFirst(JSONScanner.byteOrderMark.count) }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    // A character begins with any byte but a continuation.
    column = before[start...].count { $0 & 0xc0 != 0x80 } + 1
  }

  /// `3:14`
  package var description: String { "\(line):\(column)" }
}
