import MLCCore

/// What the slowest kernels of a prediction take as bars, and all others as one.
struct KernelBars {
  /// The slowest first.
  let rows: [BenchReport.Row]

  private static let most = 12

  var html: String {
    let whole = max(1e-9, rows.reduce(0) { $0 + $1.microseconds })
    var bars = rows.prefix(Self.most).map { row in
      bar(row.microseconds, whole, "<span class=\"t\">\(row.kernel.markup)\(nodes(row))</span>")
    }
    let rest = rows.dropFirst(Self.most)
    if !rest.isEmpty {
      let name = "<span class=\"t\">\(rest.count.of("other kernel"))</span>"
      bars.append(bar(rest.reduce(0) { $0 + $1.microseconds }, whole, name, " class=\"rest\""))
    }
    return "<div class=\"bars\">\n\(bars.joined(separator: "\n"))\n</div>"
  }

  private func nodes(_ row: BenchReport.Row) -> String {
    row.nodes.isEmpty ? "" : "<small>\(row.nodes.markup)</small>"
  }

  private func bar(_ microseconds: Double, _ whole: Double, _ name: String, _ style: String = "") -> String {
    """
    <div\(style)><span class="n">\(microseconds.fixed(1)) µs</span>\
    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">\
    <rect width="\((100 * microseconds / whole).fixed(2))" height="1"/></svg>\(name)</div>
    """
  }
}
