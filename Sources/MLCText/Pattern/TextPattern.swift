import MLCCore

/// A regular expression of RE2's syntax that texts match as a whole.
///
/// Known are literals, escapes, classes (Perl's, of ASCII; POSIX'; Unicode's general categories), groups with names and
/// flags, alternatives, repetitions, anchors and word boundaries. Perl's classes and boundaries are those of ASCII;
/// with `(?i)` characters match that Unicode's simple case folding makes equal. Matching takes time proportional to the
/// text's length times the pattern's, whatever both are. Patterns are equal where the UTF-8 of their sources is.
/// Source: ONNX `RegexFullMatch`, the syntax of RE2.
package struct TextPattern: Sendable {
  package let source: String
  private let program: PatternProgram

  /// Throws `text.pattern` for what is no pattern, or uses scripts or single bytes; `text.pattern-size` for one that
  /// would be longer than `PatternProgram.sizeLimit` steps.
  package init(_ source: String) throws(Diagnostic) {
    self.source = source
    var parser = PatternParser(source)
    program = try PatternProgram(try parser.pattern())
  }

  /// Whether all of `text` is what the pattern describes.
  package func matches(_ text: String) -> Bool { program.matches(text.unicodeScalars) }
}

extension TextPattern: Hashable {
  package static func == (a: TextPattern, b: TextPattern) -> Bool { a.source.isSameText(as: b.source) }
  package func hash(into hasher: inout Hasher) { hasher.combine(UTF8Text(source)) }
}

/// What a pattern describes. Greed makes no difference to whether a whole text matches.
indirect enum PatternNode: Sendable {
  case empty
  case characters(CharacterSet)
  case condition(PatternCondition)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// `least` times, up to `most` or, where that is `nil`, any number of times.
  case repetition(PatternNode, least: Int, most: Int?)
}

/// What holds between two characters, or at an end of the text.
enum PatternCondition: Sendable {
  case textStart, textEnd, lineStart, lineEnd, boundary, noBoundary

  /// `nil` stands for an end of the text.
  func holds(between before: Unicode.Scalar?, and after: Unicode.Scalar?) -> Bool {
    switch self {
    case .textStart: before == nil
    case .textEnd: after == nil
    case .lineStart: before == nil || before == "\n"
    case .lineEnd: after == nil || after == "\n"
    case .boundary: Self.isWord(before) != Self.isWord(after)
    case .noBoundary: Self.isWord(before) == Self.isWord(after)
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { CharacterSet.word.contains($0) } ?? false
  }
}
