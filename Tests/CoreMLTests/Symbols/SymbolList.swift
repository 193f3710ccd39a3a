import Foundation

/// `Specs/coreml/Symbols.md`: Core ML's symbols, and which of them are here.
struct SymbolList {
  enum Status: String {
    case yes, differs, no, planned
    var isHere: Bool { self == .yes || self == .differs }
  }

  /// A line of a table: what Apple declares, whether it is here, the symbols, and how or why.
  struct Row {
    var declaration: String, status: Status, symbols: [String], remark: String

    var line: String {
      let names = symbols.map { "`\($0.replacing("|", with: "\\|"))`" }.joined(separator: ", ")
      let cells = [declaration, status.rawValue, names, remark].map { $0.isEmpty ? " " : " \($0) " }
      return "|\(cells.joined(separator: "|"))|"
    }
  }

  enum Line {
    case text(String)
    case row(Row)
  }

  var lines: [Line]

  init(_ page: String) {
    lines = page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      SymbolList.row(String(line)).map { .row($0) } ?? .text(String(line))
    }
  }

  /// `nil` for a line that is no row of a table, its head included.
  private static func row(_ line: String) -> Row? {
    guard line.hasPrefix("|"), line.hasSuffix("|") else { return nil }
    let marked = line.dropFirst().dropLast().replacing("\\|", with: "\u{0}")
    let cells = marked.split(separator: "|", omittingEmptySubsequences: false).map { cell in
      cell.replacing("\u{0}", with: "\\|").trimmingCharacters(in: .whitespaces)
    }
    guard cells.count == 4, let status = Status(rawValue: cells[1]) else { return nil }
    let symbols = cells[2].split(separator: "`").filter { $0 != ", " }.map { String($0).replacing("\\|", with: "|") }
    return Row(declaration: cells[0], status: status, symbols: symbols, remark: cells[3])
  }

  var page: String {
    lines.map { line in
      switch line {
      case .text(let text): text
      case .row(let row): row.line
      }
    }.joined(separator: "\n")
  }

  var rows: [Row] {
    lines.compactMap { line in
      if case .row(let row) = line { row } else { nil }
    }
  }

  /// How often each symbol is in the rows of what is here: overloads have one name.
  var here: [String: Int] { rows.filter { $0.status.isHere }.flatMap { $0.symbols }.counted }

  /// What rows say is here and `declared` has not, and the other way round, each with what to do about it.
  func problems(_ declared: [String: Int]) -> [String] {
    let here = here
    let lacking = here.filter { declared[$0.key, default: 0] < $0.value }.keys.sorted()
    let surplus = declared.filter { here[$0.key, default: 0] < $0.value && !SymbolList.isImplied($0.key) }.keys.sorted()
    let absent = Set(rows.filter { !$0.status.isHere }.flatMap { $0.symbols })
    return lacking.map { "\($0): the list has it, the module has not" }
      + surplus.map { absent.contains($0) ? "\($0): a row says that it is not here" : "\($0): no row has it" }
  }

  /// The list with what `declared` has: rows that were planned or absent and are there, and rows for the rest.
  func updated(_ declared: [String: Int]) -> SymbolList {
    var list = self
    var surplus = declared.filter { !SymbolList.isImplied($0.key) || here[$0.key] != nil }
    for (symbol, count) in here { surplus[symbol, default: 0] -= count }
    for (index, line) in lines.enumerated() {
      guard case .row(var row) = line, !row.status.isHere, !row.symbols.isEmpty else { continue }
      let needed = row.symbols.counted
      guard needed.allSatisfy({ surplus[$0.key, default: 0] >= $0.value }) else { continue }
      for (symbol, count) in needed { surplus[symbol, default: 0] -= count }
      (row.status, row.remark) = (.yes, "")
      list.lines[index] = .row(row)
    }
    let end = list.lines.lastIndex { if case .row = $0 { true } else { false } } ?? list.lines.count - 1
    let others = surplus.filter { $0.value > 0 }.sorted { $0.key < $1.key }.flatMap { symbol, count in
      Array(repeating: Row(declaration: "", status: .yes, symbols: [symbol], remark: ""), count: count)
    }
    list.lines.insert(contentsOf: others.map { .row($0) }, at: end + 1)
    return list
  }

  /// What a conformance that a row names brings with it, and an enumeration with raw values: these may be in no row.
  static func isImplied(_ symbol: String) -> Bool {
    [".init(rawValue:)", ".encode(with:)", ".init(coder:)", ".supportsSecureCoding", ".copy(with:)"]
      .contains { symbol.hasSuffix($0) }
  }
}

extension Sequence where Element: Hashable {
  /// How often each element is in it.
  var counted: [Element: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
