/// Rows of text in columns as wide as they need to be, or as a terminal lets them.
struct Table {
  private let header: [ConsoleText]
  /// Columns set flush right, as numbers are.
  private let right: Set<Int>
  /// Columns that are cut where lines are wider than the terminal, the widest first.
  private let cut: Set<Int>
  private var rows: [[ConsoleText]] = []
  /// No cut column gets narrower.
  private static let narrowest = 8

  init(_ header: [String], right: Set<Int> = [], cut: Set<Int> = []) {
    (self.header, self.right, self.cut) = (header.map { "\($0)" }, right, cut)
  }

  mutating func add(_ row: [String]) { rows.append(row.map { "\($0)" }) }
  mutating func add(_ row: [String], ending last: ConsoleText) { rows.append(row.map { "\($0)" } + [last]) }
  var isEmpty: Bool { rows.isEmpty }

  /// The lines, the header first, two spaces between columns.
  var text: ConsoleText { text(width: Console.resultWidth) }

  /// For lines of at most `width` characters, if columns can be cut that far.
  func text(width: Int?) -> ConsoleText {
    let all = [header] + rows
    var widths = header.indices.map { column in all.map { $0[column].width }.max() ?? 0 }
    if let width {
      var over = widths.reduce(2 * (widths.count - 1), +) - width
      while over > 0, let column = cut.max(by: { widths[$0] < widths[$1] }), widths[column] > Table.narrowest {
        widths[column] -= 1
        over -= 1
      }
    }
    let lines: [ConsoleText] = all.map { whole in
      let row = whole.enumerated().map { cut.contains($0) ? $1.cut(to: widths[$0]) : $1 }
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
