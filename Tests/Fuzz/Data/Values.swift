import FuzzSupport
import MLCCore

extension FuzzTarget {
  /// JSON: what is written reads back as the same.
  static let json = FuzzTarget(
    "json",
    JSONMutator(),
    texts: [#"{"a": [1, -2.5e3, true, null], "b": {"c": "\u00e9\n"}}"#, "[]", "0"]
  ) { (bytes) throws(Diagnostic) in
    let value = try JSON(parsing: bytes)
    precondition((try? JSON(parsing: value.text)) == value, "JSON reads back as another")
  }

  /// Sizes: what is written reads back as the same, and evaluates or not without a trap.
  static let dim = FuzzTarget(
    "dim",
    WordMutator(dictionary: ["floor", "max", "min", "//", "*", "(", ")", "`", "-"]),
    texts: ["3*batch + 2", "floor(n - 1, 2) + 1", "max(a, min(`b c`, 4))", "(h + 2) // 3 * -w"]
  ) { (bytes) throws(Diagnostic) in
    let size = try Dim(parsing: String(decoding: bytes, as: UTF8.self))
    _ = size.evaluate(Dictionary(size.symbols.map { ($0, 7) }) { a, _ in a })
    guard let again = try? Dim(parsing: size.description) else { return }
    precondition(again == size, "\(size) reads back as \(again)")
  }
}
