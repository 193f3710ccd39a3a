import MLCCompiler
import MLCCore
import MLCTensorIO

extension VerifySummary {
  /// Writes the findings as a page. Throws `file.write`.
  func writeHTML(to path: String) throws(Diagnostic) {
    let page = ReportPage(
      command: "mlc verify",
      subject: provenance.name,
      header: """
        <p class="verdict \(passed ? "pass" : "fail")">\(passed ? "Every output agrees." : "Numbers differ.")</p>
        <p class="lead">\(lead.markup)</p>
        """,
      styles: VerifyStyle.sheet,
      body: "<h2>Outputs</h2>\n\(resultTable)\n\(layers.map(section).joined(separator: "\n"))",
      facts: facts
    )
    try page.write(to: path)
  }

  /// How many comparisons passed, and the worst of them.
  private var lead: String {
    let passing = results.count { $0.passed }
    let targets = Set(results.map { $0.target }).count
    let counted = "\(passing.grouped) of \(results.count.of("comparison")) passed on \(targets.of("target"))"
    guard let worst = results.compactMap({ $0.comparison }).min(by: { $0.signalToNoise < $1.signalToNoise }) else {
      return counted
    }
    return "\(counted); the lowest signal-to-noise ratio is \(worst.decibelsAndUnit)."
  }

  // MARK: Outputs

  private static let figures = ["SNR dB", "Max abs", "Max rel", "ULP", "Cosine", "Argmax"]

  private var resultTable: String {
    let figures = Self.figures.map { "<th class=\"n\">\($0)</th>" }
    let names = ["Output", "Target", "Against", "Case"].map { "<th>\($0)</th>" }
    return """
      <table class="cards results"><thead><tr><th>Result</th>\((figures + names).joined())</tr></thead><tbody>
      \(results.map(row).joined(separator: "\n"))
      </tbody></table>
      """
  }

  private func row(_ result: VerificationResult) -> String {
    let names = zip(
      ["Output", "Target", "Against", "Case"],
      [result.output, result.target, result.basis.rawValue, result.sample]
    )
    var cells = "<td><span class=\"\(result.passed ? "pass\">pass" : "fail\">FAIL")</span></td>"
    if let c = result.comparison {
      let agreement = c.argmaxAgreement.map { "\(($0 * 100).fixed(1))%" } ?? ""
      let values = [
        c.decibels, c.maximumAbsoluteError.scientific, c.maximumRelativeError.scientific,
        c.maximumULP.map { "\($0)" } ?? "", c.cosine.fixed(6), agreement,
      ]
      for (name, value) in zip(Self.figures, values) { cells += "<td class=\"n\" data-name=\"\(name)\">\(value)</td>" }
    } else {
      cells += "<td colspan=\"\(Self.figures.count)\">\((result.problem?.message ?? "").markup)</td>"
    }
    for (name, text) in names { cells += "<td class=\"t\" data-name=\"\(name)\">\(text.markup)</td>" }
    return "<tr>\(cells)</tr>"
  }

  // MARK: Layers

  private func section(_ finding: LayerFinding) -> String {
    let parts = finding.parts.map { part in
      switch part {
      case .layers(let layers): table(layers, of: finding)
      case .block(let block, let layers): fold(block, layers, of: finding)
      }
    }
    return """
      <h2>Layers on \(finding.target.markup)</h2>
      <p>\(remark(finding) ?? culpritSentence(finding))</p>
      \(ErrorChart(finding: finding).plot.html)\
      <div class="layers"><div class="head"><span class="n">SNR dB</span><span class="n">Max abs</span>\
      <span>Operation</span><span>Node and value</span></div>
      \(parts.joined(separator: "\n"))
      </div>
      """
  }

  private func culpritSentence(_ finding: LayerFinding) -> String {
    guard let culprit = finding.culprit else {
      return "The error jumps nowhere: no measured value is out of tolerance, and none has more than "
        + "\(LayerSearch.Layer.standOut.fixed(0)) times the error of its operands."
    }
    let reason =
      culprit.comparison.passed
      ? "has more than \(LayerSearch.Layer.standOut.fixed(0)) times the error of its operands"
      : "is the first measured value that is out of tolerance"
    return "The error jumps at <b class=\"fail\">\((culprit.node ?? culprit.value).markup)</b>, which \(reason)."
  }

  private func fold(_ block: LayerFinding.Block, _ layers: [LayerSearch.Layer], of finding: LayerFinding) -> String {
    let worst = layers.min { $0.comparison.signalToNoise < $1.comparison.signalToNoise }
    let isOpen = layers.contains(where: finding.isCulprit)
    return """
      <details\(isOpen ? " open=\"open\"" : "")><summary><span class="n">\(worst?.comparison.decibels ?? "")</span>\
      <span class="n">\(worst?.comparison.maximumAbsoluteError.scientific ?? "")</span>\
      <span class="block">\(block.title)\(block.name.map { ", <span class=\"t\">\($0.markup)</span>" } ?? "")\
      <small>worst of \(layers.count) measured</small></span></summary>
      \(table(layers, of: finding))</details>
      """
  }

  private func table(_ layers: [LayerSearch.Layer], of finding: LayerFinding) -> String {
    let rows = layers.map { layer in
      let isCulprit = finding.isCulprit(layer)
      let name = (layer.node ?? layer.value).markup
      let value = layer.node == nil || layer.node == layer.value ? "" : "<small>\(layer.value.markup)</small>"
      return "<tr\(isCulprit ? " class=\"culprit\"" : "")><td class=\"n\">\(layer.comparison.decibels)</td>"
        + "<td class=\"n\">\(layer.comparison.maximumAbsoluteError.scientific)</td>"
        + "<td class=\"t\">\(layer.op.markup)</td>"
        + "<td class=\"t\">\(name)\(value)\(isCulprit ? "<b class=\"fail\">the error jumps here</b>" : "")</td></tr>"
    }
    return "<table><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
  }
}
