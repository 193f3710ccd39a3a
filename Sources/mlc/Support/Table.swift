/// Rows of text in columns as wide as they need to be.
struct Table {
  private let header: [String]
  /// Columns set flush right, as numbers are.
  private let right: Set<Int>
  private var rows: [[String]] = []

  init(_ header: [String], right: Set<Int> = []) { (self.header, self.right) = (header, right) }

  mutating func add(_ row: [String]) { rows.append(row) }
  var isEmpty: Bool { rows.isEmpty }

  /// The lines, the header first, two spaces between columns.
  var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { Table.width($0[column]) }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - Table.width(cell))
        line += (column == 0 ? "" : "  ") + (right.contains(column) ? space + cell : cell + space)
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  /// Characters that show: colour sequences take no room.
  private static func width(_ cell: String) -> Int {
    var (count, hidden) = (0, false)
    for character in cell {
      if character == "\u{1b}" {
        hidden = true
      } else if !hidden {
        count += 1
      } else if character == "m" {
        hidden = false
      }
    }
    return count
  }
}
