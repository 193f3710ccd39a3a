/// Rows of text in columns as wide as they need to be.
struct Table {
  private let header: [ConsoleText]
  /// Columns set flush right, as numbers are.
  private let right: Set<Int>
  private var rows: [[ConsoleText]] = []

  init(_ header: [String], right: Set<Int> = []) { (self.header, self.right) = (header.map { "\($0)" }, right) }

  mutating func add(_ row: [String]) { rows.append(row.map { "\($0)" }) }
  mutating func add(_ row: [String], ending last: ConsoleText) { rows.append(row.map { "\($0)" } + [last]) }
  var isEmpty: Bool { rows.isEmpty }

  /// The lines, the header first, two spaces between columns.
  var text: ConsoleText {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].width }.max() ?? 0 }
    let lines: [ConsoleText] = all.map { row in
      let end = (row.lastIndex { $0.width > 0 } ?? -1) + 1
      var line: ConsoleText = ""
      for (column, cell) in row.prefix(end).enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.width)
        line += column == 0 ? "" : "  "
        line += right.contains(column) ? "\(space)\(cell)" : column + 1 < end ? "\(cell)\(space)" : cell
      }
      return line
    }
    return lines.joined(separator: "\n")
  }
}
