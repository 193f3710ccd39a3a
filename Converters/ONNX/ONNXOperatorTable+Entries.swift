extension ONNXOperatorTable {
  /// What users read of one operator.
  package struct Entry: Sendable {
    /// `ai.onnx`, `com.microsoft`, ….
    package let domain: String
    package let type: String
    /// The operator set that it came with, from which on it is read.
    package let sinceOpset: Int
    /// The graph's operator, or `composition`.
    package let becomes: String
    package let note: String

    /// A row of a Markdown table.
    package var markdown: String { "| \(domain) | \(type) | \(sinceOpset) | \(becomes) | \(note) |" }
  }

  package static let markdownHeader = "| domain | operator | from set | becomes | |\n|---|---|---|---|---|"

  /// All operators by domain, then by name.
  package static let entries: [Entry] = rules.flatMap { rule in rule.types.map { entry($0, rule) } }
    .sorted { ($0.domain, $0.type) < ($1.domain, $1.type) }

  package static func entry(_ type: String, _ rule: ONNXRule) -> Entry {
    Entry(
      domain: rule.domain.isEmpty ? "ai.onnx" : rule.domain,
      type: type,
      sinceOpset: rule.sinceOpset,
      becomes: operation(of: type, rule) ?? "composition",
      note: rule.note
    )
  }

  /// Of a rule for several types that become one operator each, that of `type`.
  private static func operation(of type: String, _ rule: ONNXRule) -> String? {
    guard let all = rule.operation?.split(separator: ","), all.count == rule.types.count,
      let place = rule.types.firstIndex(of: type)
    else { return rule.operation }
    return all[place].split(separator: " ").joined()
  }
}
