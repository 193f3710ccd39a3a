/// Everything of one kind that a model uses and mlc does not have, so that it is reported at once.
package struct UnsupportedTable: Sendable {
  package struct Row: Hashable, Sendable {
    /// What the table shows of it, a column each: its type, and what else tells it apart.
    package var columns: [String]
    package var nodes: [String]
    /// A way round, where there is one.
    package var advice: String?

    package init(_ columns: [String], nodes: [String], advice: String? = nil) {
      (self.columns, self.nodes, self.advice) = (columns, nodes, advice)
    }
  }
  package let rows: [Row]

  package init(_ rows: [Row]) { self.rows = rows }

  /// `id` with a note a row, columns aligned, up to four nodes named; `nil` when there is no row. `noun` names what a row
  /// is, `operator`, and `place` what each stands in, `node`.
  package func diagnostic(_ id: Diagnostic.ID, noun: String, place: String) -> Diagnostic? {
    if rows.isEmpty { return nil }
    let widths = (0..<(rows.map(\.columns.count).max() ?? 0)).map { column in
      rows.map { $0.columns.indices.contains(column) ? $0.columns[column].count : 0 }.max() ?? 0
    }
    let notes = rows.map { row in
      let columns = zip(row.columns, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      let names = row.nodes.prefix(4).joined(separator: ", ") + (row.nodes.count > 4 ? ", …" : "")
      return columns.joined(separator: "  ") + "  ×\(row.nodes.count)  \(names)" + (row.advice.map { " (\($0))" } ?? "")
    }
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    let nodes = rows.reduce(0) { $0 + $1.nodes.count }
    return Diagnostic(
      id,
      "\(counted(rows.count, noun)) in \(counted(nodes, place)) cannot be imported",
      kind: .unsupported,
      notes: notes
    )
  }
}
