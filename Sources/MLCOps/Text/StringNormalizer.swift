import MLCCore
import MLCGraph
import MLCText

/// The texts of a row without stop words, their case changed: `x: string[C]` → `y: string[n]`, `x: string[1, C]` → `y:
/// string[1, n]`, where n is the number of those that are left, or 1.
///
/// A `TextNormalizer` says what is left. `case_change` is `NONE`, `LOWER` or `UPPER`. Throws `string_normalizer.dtype`,
/// `string_normalizer.shape` unless there is one row, `string_normalizer.mode` for another change. Source: ONNX
/// `StringNormalizer`.
package struct StringNormalizer: Operator {
  package var caseChange = "NONE"
  package var isCaseSensitive = false
  package var stopwords: [String] = []

  package static let schema = Schema<StringNormalizer>(
    "string_normalizer",
    [
      .input("x", rank: 1...2), .attribute("case_change", \.caseChange),
      .attribute("is_case_sensitive", \.isCaseSensitive), .attribute("stopwords", \.stopwords),
    ]
  )
  package init() {}
  package init(caseChange: String = "NONE", isCaseSensitive: Bool = false, stopwords: [String] = []) {
    (self.caseChange, self.isCaseSensitive, self.stopwords) = (caseChange, isCaseSensitive, stopwords)
  }

  /// What normalizes a row. Throws `string_normalizer.mode`.
  package func normalizer() throws(Diagnostic) -> TextNormalizer {
    guard let change = TextNormalizer.CaseChange(rawValue: caseChange) else {
      throw Diagnostic("string_normalizer.mode", "there is no change of case '\(caseChange)'")
    }
    return TextNormalizer(change: change, isCaseSensitive: isCaseSensitive, stopwords: stopwords)
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype == .string else { throw Diagnostic.dtype("string_normalizer", x.dtype) }
    _ = try normalizer()
    try check(x.shape)
    return [Fact(.string, x.shape.dropLast() + [inputs.fresh("n")])]
  }

  private func check(_ shape: [Dim]) throws(Diagnostic) {
    guard shape.count == 2, let rows = shape[0].constant, rows != 1 else { return }
    throw Diagnostic("string_normalizer.shape", "texts of \(rows) rows are normalized, not those of one")
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    try check(x.shape.map { Dim($0) })
    let texts = try normalizer().normalized(x.strings)
    return [Tensor(x.rank == 2 ? [1, texts.count] : [texts.count], strings: texts)]
  }
}
