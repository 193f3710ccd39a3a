/// What became of each backend test, as one table.
struct ConformanceReport {
  private(set) var passed: [String] = []
  private(set) var failed: [(name: String, why: String)] = []
  private(set) var unsupported: [(name: String, why: String)] = []
  private var rows: [String: (passed: Int, unsupported: Int, failed: Int)] = [:]

  mutating func add(_ item: BackendCase, _ outcome: BackendCase.Outcome) {
    var row = rows[item.subject(), default: (0, 0, 0)]
    switch outcome {
    case .passed:
      passed.append(item.name)
      row.passed += 1
    case .unsupported(let why):
      unsupported.append((item.name, why))
      row.unsupported += 1
    case .failed(let why):
      failed.append((item.name, why))
      row.failed += 1
    }
    rows[item.subject()] = row
  }

  /// Operators by name, then what is wrong.
  var description: String {
    let width = rows.keys.map { $0.count }.max() ?? 0
    func line(_ name: String, _ cells: [String]) -> String {
      let cells = cells.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
      return name + String(repeating: " ", count: max(0, width - name.count)) + cells.joined()
    }
    var lines = [line("operator", ["passed", "unsupported", "failed"])]
    for (name, row) in rows.sorted(by: { $0.key < $1.key }) {
      lines.append(line(name, [row.passed, row.unsupported, row.failed].map { $0 == 0 ? "·" : "\($0)" }))
    }
    lines.append(line("all", [passed.count, unsupported.count, failed.count].map { "\($0)" }))
    lines += failed.map { "failed \($0.name): \($0.why)" }
    return lines.joined(separator: "\n")
  }
}
