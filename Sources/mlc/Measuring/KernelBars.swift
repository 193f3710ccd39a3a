import MLCCore

/// What the slowest kernels of a prediction take, as bars, and all others together.
struct KernelBars {
  /// The slowest first.
  let rows: [BenchReport.Row]

  private static let most = 12

  var html: String {
    let whole = max(1e-9, rows.reduce(0) { $0 + $1.microseconds })
    let longest = max(1e-9, rows.first?.microseconds ?? 0)
    var lines = rows.prefix(Self.most).map { row in
      let nodes = row.nodes.isEmpty ? "" : "<small>\(row.nodes.markup)</small>"
      return line(row.microseconds, whole, bar: row.microseconds / longest, "\(row.kernel.markup)\(nodes)")
    }
    let rest = rows.dropFirst(Self.most)
    if !rest.isEmpty {
      lines.append(line(rest.reduce(0) { $0 + $1.microseconds }, whole, bar: 0, rest.count.of("other kernel")))
    }
    return "<div class=\"bars\">\n\(lines.joined(separator: "\n"))\n</div>"
  }

  /// `bar` is a share of the longest one.
  private func line(_ microseconds: Double, _ whole: Double, bar: Double, _ name: String) -> String {
    """
    <div><span class="n">\(microseconds.fixed(1)) µs</span>\
    <span class="n">\((100 * microseconds / whole).fixed(1))%</span>\
    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">\
    <rect width="\((100 * bar).fixed(2))" height="1"/></svg><span class="t">\(name)</span></div>
    """
  }
}
