import MLCCore
import MLCGraph
import MLCText

/// Whether the whole of each text is what `pattern` describes: `x: string[*S]` → `y: bool[*S]`.
///
/// A `TextPattern` says what matches. Throws `regex_full_match.dtype`, `text.pattern`, `text.pattern-size`. Source:
/// ONNX `RegexFullMatch`.
package struct RegexFullMatch: Operator {
  package var pattern = ""

  package static let schema = Schema<RegexFullMatch>(
    "regex_full_match",
    [.input("x"), .attribute("pattern", \.pattern)]
  )
  package init() {}
  package init(pattern: String) { self.pattern = pattern }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype == .string else { throw Diagnostic.dtype("regex_full_match", x.dtype) }
    _ = try TextPattern(pattern)
    return [Fact(.bool, x.shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, pattern) = (inputs["x"], try TextPattern(pattern))
    return [Tensor(.bool, x.shape, x.strings.map { pattern.matches($0) ? 1 : 0 })]
  }
}
