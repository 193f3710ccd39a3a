/// Lines of C, which get their indentation where they are printed.
extension [String] {
  /// Each line `depth` levels further in.
  func indented(_ depth: Int) -> [String] {
    let indentation = String(repeating: "  ", count: depth)
    return map { indentation + $0 }
  }

  /// The same as one text without a last line feed, for a line of a literal of its own.
  func text(_ depth: Int) -> String { indented(depth).joined(separator: "\n") }
}
