/// A text that is equal to another where their UTF-8 is. Swift's strings are where Unicode calls them equivalent: "é"
/// of one scalar and of two, which models tell apart.
package struct UTF8Text: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: UTF8Text, b: UTF8Text) -> Bool { a.text.isSameText(as: b.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(text.utf8.count)
  }
}

extension [String] {
  /// The same, equal where their UTF-8 is.
  package var utf8Texts: [UTF8Text] { map { UTF8Text($0) } }
}

extension String {
  /// Whether the UTF-8 of both is the same.
  package func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Bytes that the text takes beside what refers to it; none where it is short.
  package var longBytes: Int { utf8.count < DType.stringBytes ? 0 : utf8.count }
}
