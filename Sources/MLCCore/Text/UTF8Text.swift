/// A text that is equal to another where their UTF-8 is. Swift's strings are where Unicode calls them equivalent: "é" of
/// one scalar and of two, which models tell apart.
package struct UTF8Text: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: UTF8Text, b: UTF8Text) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(text.utf8.count)
  }
}
