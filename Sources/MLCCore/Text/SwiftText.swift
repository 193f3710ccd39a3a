/// Text in Swift; `SwiftIdentifier` makes names.
package enum SwiftText {
  /// A string literal that means `text`, whatever is in it.
  package static func literal(_ text: String) -> String { text.quoted() }

  /// Text that stays inside a comment of one line: white space becomes single spaces, other characters that are not
  /// printable are escaped, and long text loses its middle.
  package static func comment(_ text: String) -> String {
    text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }.joined(separator: " ").shown(2000)
  }
}
