import MLCCompiler
import MLCCore
import MLCTensorIO

extension VerifySummary {
  /// Writes the findings as one page that needs nothing besides itself: HTML that is well-formed XML too. Throws
  /// `file.write`.
  func writeHTML(to path: String) throws(Diagnostic) {
    try AtomicFile.write(html, to: path)
  }

  private static let columns = [
    "Case", "Target", "Against", "Output", "Max abs", "Max rel", "ULP", "SNR dB", "Cosine", "Argmax", "Result",
  ]

  private var html: String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"/><title>mlc verify: \(model.markup)</title>
    <style>
    body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
    table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .25rem .7rem; text-align: left; }
    th { border-bottom: 2px solid #888; } td { border-bottom: 1px solid #ddd; } td.n { text-align: right; }
    .pass { color: #17692b; } .fail { color: #b3261e; font-weight: 600; }
    </style></head><body>
    <h1>\(model.markup)</h1>
    <p class="\(passed ? "pass" : "fail")">\(passed ? "Every output agrees." : "Numbers differ.")</p>
    \(spelledSizes.map { "<p>Sizes: \($0.markup)</p>" } ?? "")
    <p>Longest sum: \(longestReduction.of("term"))</p>
    \(table(Self.columns, results.map(row)))
    \(skipped.map { "<p>Not run: \($0.target.markup), \($0.reason.markup)</p>" }.joined())
    \(layers.map(section).joined())
    </body></html>

    """
  }

  private func row(_ result: VerificationResult) -> [String] {
    let head = [result.sample, result.target, result.basis.rawValue, result.output].map { $0.markup }
    let verdict = "<span class=\"\(result.passed ? "pass\">pass" : "fail\">FAIL")</span>"
    guard let c = result.comparison else {
      return head + ["", "", "", "", "", (result.problem?.message ?? "").markup, verdict]
    }
    return head + [
      c.maximumAbsoluteError.scientific, c.maximumRelativeError.scientific, c.maximumULP.map { "\($0)" } ?? "",
      c.decibels, c.cosine.fixed(6), c.argmaxAgreement.map { "\(($0 * 100).fixed(1))%" } ?? "", verdict,
    ]
  }

  private func section(_ finding: LayerFinding) -> String {
    let rows = finding.layers.map { layer in
      [
        (layer.node ?? "").markup, layer.op.markup, layer.value.markup, layer.comparison.decibels,
        layer.position == finding.culprit?.position ? "the error jumps here" : "",
      ]
    }
    return "<h2>Layers on \(finding.target.markup)</h2>"
      + table(["Node", "Operation", "Value", "SNR dB", ""], rows)
  }

  /// Cells are HTML already.
  private func table(_ header: [String], _ rows: [[String]]) -> String {
    let head = header.map { "<th>\($0)</th>" }.joined()
    let body = rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }.joined(separator: "\n")
    return "<table><tr>\(head)</tr>\n\(body)</table>"
  }
}
