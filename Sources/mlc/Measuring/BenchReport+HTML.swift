import MLCCore
import MLCRuntime

extension BenchReport {
  /// The report as a page. Throws `file.write`.
  func writeHTML(to path: String, provenance: Provenance) throws(Diagnostic) {
    let page = ReportPage(
      command: "mlc bench",
      subject: provenance.name,
      header: header,
      styles: BenchStyle.sheet,
      body: [tiles, latencies, kernels].joined(separator: "\n"),
      facts: facts(provenance)
    )
    try page.write(to: path)
  }

  private var header: String {
    let place = "as code for \(target) on \(threads.of("thread"))"
    let lead = "A prediction takes \(median.fixed(3)) ms in the median, \(place)."
    var parts = ["<p class=\"lead\">\(lead.markup)</p>"]
    if let contest {
      parts.append("<p>Measured \(contest.sentence.markup).</p>")
    }
    for remark in remarks { parts.append("<p class=\"fail\">Note: \(remark.markup)</p>") }
    return parts.joined(separator: "\n")
  }

  private var tiles: String {
    let tiles = figures.map { figure in
      let note = figure.note.isEmpty ? "" : "<dd><small>\(figure.note.markup)</small></dd>"
      return "<div><dt>\(figure.name.markup)</dt><dd class=\"n\">\(figure.amount.markup)</dd>\(note)</div>"
    }
    return "<dl class=\"tiles\">\n\(tiles.joined(separator: "\n"))\n</dl>"
  }

  private var latencies: String {
    let chart = LatencyChart(milliseconds: milliseconds, median: median, percentile95: percentile95)
    return "<h2>Latency</h2>\n\(chart.plot.html)"
  }

  private var kernels: String {
    if steps.isEmpty { return "" }
    var parts = ["<h2>Time by kernel</h2>", KernelBars(rows: slowest).html]
    if let peak {
      parts += ["<h2>Kernels and the machine's limits</h2>", "<p>\(peak.text.text.markup)</p>"]
      if let roofline = Roofline(rows: rows, peak: peak) { parts.append(roofline.plot.html) }
    }
    if !costs.isEmpty {
      parts += ["<h2>Kinds of kernels</h2>", kindListing.html, "<h2>Operators</h2>", operatorListing.html]
    }
    return (parts + ["<h2>Kernels</h2>", Self.legend, kernelListing.html]).joined(separator: "\n")
  }

  private static let legend = """
    <p class="lead">“peak” and “memory” are shares of what this machine does at most, measured with as many threads: \
    of its products, and of the bytes that it reads from memory. Tensors in a cache may come faster, and some \
    algorithms multiply less often than the definition.</p>
    """

  /// What the figures were made from, by what, where and when.
  private func facts(_ provenance: Provenance) -> [(name: String, text: String)] {
    var facts: [(name: String, text: String)] = [("model", provenance.model), ("package", digest)]
    facts.append(("data", "\(provenance.data)"))
    if !sizes.isEmpty { facts.append(("sizes", spelledSizes)) }
    facts += [
      ("target", target), ("threads", threads.grouped), ("ready by", preparation.message),
      ("measured", milliseconds.count.of("prediction")),
    ]
    if !Processor.name.isEmpty { facts.append(("processor", Processor.name)) }
    return facts + [("machine", provenance.machine), ("made by", provenance.maker)]
  }
}
