import MLCCore

/// What backend tests came to, for reading.
struct BackendSummary {
  var findings: [BackendFinding] = []

  private func count(_ outcome: String) -> Int { findings.count { $0.outcome == outcome } }
  private var verdict: String {
    "\(count("pass")) passed, \(count("refused")) refused, \(count("FAIL")) failed"
  }

  /// 0 where all passed; else that of numbers that differ, of what failed otherwise, of what is refused.
  var status: Int32 {
    let kinds = findings.compactMap { $0.difference == nil ? $0.problem?.kind : .mismatch }
    if kinds.contains(.mismatch) { return Diagnostic.Kind.mismatch.rawValue }
    return (kinds.first { $0 != .unsupported } ?? kinds.first)?.rawValue ?? 0
  }

  var text: ConsoleText {
    var table = Table(["case", "set", "target", "", "problem"], cut: [4])
    for finding in findings {
      let problem = finding.problem.map { "\($0.message) [\($0.id.rawValue)]" } ?? finding.difference ?? ""
      table.add([finding.name, finding.set, finding.target, finding.outcome, problem])
    }
    return "\(table.text)\n\n\(Console.verdict(status == 0)): \(verdict)"
  }

  var json: JSON {
    let rows: [JSON] = findings.map { finding in
      var row: [String: JSON] = ["case": .string(finding.name), "outcome": .string(finding.outcome.lowercased())]
      if !finding.set.isEmpty { row["set"] = .string(finding.set) }
      if !finding.target.isEmpty { row["target"] = .string(finding.target) }
      if let difference = finding.difference { row["message"] = .string(difference) }
      if let problem = finding.problem {
        (row["id"], row["message"]) = (.string(problem.id.rawValue), .string(problem.message))
      }
      return .object(row)
    }
    return .object([
      "cases": .array(rows), "passed": .integer(count("pass")), "refused": .integer(count("refused")),
      "failed": .integer(count("FAIL")),
    ])
  }
}
