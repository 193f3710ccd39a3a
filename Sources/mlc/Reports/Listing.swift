import MLCCore

/// A table for people, on a terminal or in a page: figures first, then names.
struct Listing {
  let figures: [String], names: [String]
  /// Names that are cut where lines are wider than the terminal.
  var cut: Set<String> = []
  var rows: [[String]] = []

  private var columns: [String] { figures + names }

  var text: ConsoleText {
    let wide = columns.indices.filter { cut.contains(columns[$0]) }
    var table = Table(columns, right: Set(figures.indices), cut: Set(wide))
    for row in rows { table.add(row) }
    return table.text
  }

  /// As `ReportStyle` lays tables out.
  var html: String {
    let head = figures.map { "<th class=\"n\">\($0.markup)</th>" } + names.map { "<th>\($0.markup)</th>" }
    return """
      <table class="cards"><thead><tr>\(head.joined())</tr></thead><tbody>
      \(rows.map(line).joined(separator: "\n"))
      </tbody></table>
      """
  }

  private func line(_ row: [String]) -> String {
    let cells = zip(columns, row).enumerated().map { place, cell in
      let kind = figures.indices.contains(place) ? "n" : "t"
      return "<td class=\"\(kind)\" data-name=\"\(cell.0.markup)\">\(cell.1.markup)</td>"
    }
    return "<tr>\(cells.joined())</tr>"
  }
}
