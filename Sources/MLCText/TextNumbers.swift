import MLCCore

/// Texts by number: those whose UTF-8 is equal have one, and 0 is the empty text.
package struct TextNumbers: Sendable {
  package private(set) var texts: [String] = [""]
  private var numbers: [UTF8Text: UInt32] = [UTF8Text(""): 0]

  package init() {}

  /// Those of `texts`, the first of which is empty and no two of which are equal; `nil` for others.
  package init?(_ texts: [String]) {
    guard texts.first == "", texts.count < Int(UInt32.max) else { return nil }
    self.texts = texts
    numbers = Dictionary(zip(texts.map(UTF8Text.init), 0...)) { first, _ in first }
    if numbers.count < texts.count { return nil }
  }

  /// Whether there is any but the empty one.
  package var isEmpty: Bool { texts.count == 1 }

  package func number(of text: String) -> UInt32? { numbers[UTF8Text(text)] }

  /// The number of `text`, a new one where it has none.
  package mutating func take(_ text: String) -> UInt32 {
    if let known = number(of: text) { return known }
    let number = UInt32(texts.count)
    texts.append(text)
    numbers[UTF8Text(text)] = number
    return number
  }
}
