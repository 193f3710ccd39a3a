/// Everything of one kind that a model uses and mlc does not have, so that it is reported at once.
package struct UnsupportedTable: Sendable {
  /// Ways round, where there is one, by the first column.
  private let advice: [String: String]
  /// Nodes by row.
  private var nodes: [[String]: [String]] = [:]

  package init(advice: [String: String]) { self.advice = advice }

  /// Adds `node` to the row that shows `columns`: its type, and what else tells it apart.
  package mutating func add(_ columns: String..., node: String) { nodes[columns, default: []].append(node) }

  /// `id` with a note a row, columns aligned, up to four nodes named; `nil` when there is no row. `noun` names what a
  /// row is, `operator`, and `place` what each stands in, `node`.
  package func diagnostic(_ id: Diagnostic.ID, noun: String, place: String) -> Diagnostic? {
    if nodes.isEmpty { return nil }
    // The last column groups rows.
    let rows = nodes.sorted { $0.key.reversed().lexicographicallyPrecedes($1.key.reversed()) }
    let shown = rows.map { $0.key.map { $0.shown(100) } }
    let widths = (0..<(shown.map(\.count).max() ?? 0)).map { column in
      shown.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    let notes = zip(rows, shown).map { row, columns in
      let (key, nodes) = row
      let cells = zip(columns, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      let names = nodes.prefix(4).map { $0.shown() }.joined(separator: ", ") + (nodes.count > 4 ? ", …" : "")
      let advice = key.first.flatMap { self.advice[$0] }.map { " (\($0))" } ?? ""
      return cells.joined(separator: "  ") + "  ×\(nodes.count)  \(names)\(advice)"
    }
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    return Diagnostic(
      id,
      "\(counted(rows.count, noun)) in \(counted(rows.reduce(0) { $0 + $1.value.count }, place)) cannot be imported",
      kind: .unsupported,
      notes: notes
    )
  }
}
