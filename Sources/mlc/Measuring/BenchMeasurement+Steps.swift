import MLCCore
import MLCRuntime

extension BenchMeasurement.Report {
  /// A step that ran, with what it computes and moves.
  private struct Row {
    var profile: StepProfile, cost: StepCosts.Step?
    /// Of one run.
    var microseconds: Double { Double(profile.nanoseconds) / Double(profile.runs) / 1000 }
    var results: [String] { cost?.results.map { $0.description } ?? [] }

    /// Microseconds at the machine's peak; `nil` where nobody estimated the operations, or there is no such peak.
    func least(_ peak: MachinePeak?) -> Double? {
      guard let operations = cost?.operations, let rate = peak?.operations(cost?.factors) else { return nil }
      return operations / rate * 1e6
    }
  }

  /// Rows as one: of the whole network, or of a kind.
  private struct Sum {
    var microseconds = 0.0, operations = 0.0, bytes = 0.0
    var steps = 0
    /// Microseconds of the rows that have a peak, and what they would take at it.
    private var comparable = 0.0, least = 0.0
    /// Whether there is an estimate for every row.
    var hasAllOperations = true

    init(_ rows: [Row], _ peak: MachinePeak?) {
      for row in rows {
        microseconds += row.microseconds
        operations += row.cost?.operations ?? 0
        bytes += row.cost?.bytes ?? 0
        steps += 1
        if row.cost?.operations == nil { hasAllOperations = false }
        guard let best = row.least(peak) else { continue }
        comparable += row.microseconds
        least += best
      }
    }

    /// `nil` where no row has a peak.
    var peakShare: Double? { comparable > 0 ? least / comparable : nil }
    func memoryShare(_ peak: MachinePeak?) -> Double? {
      peak.flatMap { microseconds > 0 ? bytes / microseconds * 1e6 / $0.reading : nil }
    }
  }

  private var rows: [Row] {
    steps.enumerated().filter { $1.runs > 0 }.map { Row(profile: $1, cost: costs.isEmpty ? nil : costs[$0]) }
  }

  private func rows(_ usual: StepOrder) -> [Row] {
    switch order ?? usual {
    case .execution: rows
    case .time: rows.sorted { $0.microseconds > $1.microseconds }
    }
  }

  private static func byTime(_ a: (String, Sum), _ b: (String, Sum)) -> Bool {
    (b.1.microseconds, a.0) < (a.1.microseconds, b.0)
  }

  private var kinds: [(String, Sum)] {
    Dictionary(grouping: rows) { $0.cost?.kind ?? "other" }.map { ($0, Sum($1, peak)) }.sorted(by: Self.byTime)
  }

  /// Giga-units a second, `–` for what nobody estimated.
  private static func rate(_ amount: Double?, _ microseconds: Double) -> String {
    amount.map { microseconds > 0 ? ($0 / microseconds / 1000).fixed(1) : "–" } ?? "–"
  }

  private static func percent(_ share: Double?) -> String { share.map { "\(($0 * 100).fixed(1))%" } ?? "–" }

  /// Every kernel, and the machine's limits before them.
  var stepTable: ConsoleText {
    let total = Swift.max(1e-9, rows.reduce(0) { $0 + $1.microseconds })
    let columns = ["µs", "share", "GFLOP/s", "peak", "GB/s", "memory", "kernel", "result", "nodes"]
    var table = Table(columns, right: [0, 1, 2, 3, 4, 5], cut: [7, 8])
    for row in rows(.time) {
      let sum = Sum([row], peak)
      table.add([
        row.microseconds.fixed(1), Self.percent(row.microseconds / total),
        Self.rate(row.cost?.operations, row.microseconds), Self.percent(sum.peakShare),
        Self.rate(row.cost?.bytes, row.microseconds),
        Self.percent(row.cost?.bytes.flatMap { _ in sum.memoryShare(peak) }),
        row.profile.step.kernel, row.results.joined(separator: ", "), row.profile.step.nodes,
      ])
    }
    return (peak.map { $0.text + "\n\n" } ?? "") + table.text
  }

  /// By kinds of kernels, the whole network last.
  var kindTable: ConsoleText {
    let whole = Sum(rows, peak)
    let columns = ["µs", "share", "steps", "MFLOP", "GFLOP/s", "peak", "MB", "GB/s", "memory", "kind"]
    var table = Table(columns, right: Set(0...8))
    for (name, sum) in kinds + [("all", whole)] {
      table.add([
        sum.microseconds.fixed(1), Self.percent(sum.microseconds / Swift.max(1e-9, whole.microseconds)), "\(sum.steps)",
        (sum.operations / 1e6).fixed(1), Self.rate(sum.operations, sum.microseconds), Self.percent(sum.peakShare),
        (sum.bytes / 1e6).fixed(1), Self.rate(sum.bytes, sum.microseconds), Self.percent(sum.memoryShare(peak)), name,
      ])
    }
    return table.text
  }

  /// By the operators that the kernels are made of.
  var operatorTable: ConsoleText {
    let total = Swift.max(1e-9, rows.reduce(0) { $0 + $1.microseconds })
    let groups = Dictionary(grouping: rows) { $0.cost?.operators ?? "" }
    var table = Table(["µs", "share", "GFLOP/s", "steps", "operators"], right: [0, 1, 2, 3], cut: [4])
    for (name, sum) in groups.map({ ($0, Sum($1, peak)) }).sorted(by: Self.byTime) {
      table.add([
        sum.microseconds.fixed(1), Self.percent(sum.microseconds / total),
        Self.rate(sum.hasAllOperations ? sum.operations : nil, sum.microseconds), "\(sum.steps)",
        name.isEmpty ? "–" : name,
      ])
    }
    return table.text
  }

  private static func number(_ value: Double?) -> JSON { value.map { .number($0) } ?? .null }
  private static func share(_ value: Double?) -> JSON { value.map { .rounded($0, 4) } ?? .null }

  var opsJSON: [JSON] {
    rows(.execution).map { row in
      let sum = Sum([row], peak)
      let bytes = row.cost?.bytes.flatMap { _ in sum.memoryShare(peak) }
      return .object([
        "kernel": .string(row.profile.step.kernel), "nodes": .string(row.profile.step.nodes),
        "us": .rounded(row.microseconds, 3), "operations": Self.number(row.cost?.operations),
        "bytes": Self.number(row.cost?.bytes), "operators": row.cost.map { .string($0.operators) } ?? .null,
        "results": .array(row.results.map { .string($0) }), "kind": row.cost?.kind.map { .string($0) } ?? .null,
        "factors": row.cost?.factors.map { .string($0.rawValue) } ?? .null,
        "peak_share": Self.share(sum.peakShare), "memory_share": Self.share(bytes),
      ])
    }
  }

  /// `null` where kernels were not measured.
  var totalsJSON: JSON {
    if steps.isEmpty { return .null }
    let whole = Sum(rows, peak)
    func json(_ sum: Sum) -> [String: JSON] {
      [
        "us": .rounded(sum.microseconds, 3), "steps": .integer(sum.steps), "operations": .number(sum.operations),
        "bytes": .number(sum.bytes), "peak_share": Self.share(sum.peakShare),
        "memory_share": Self.share(sum.memoryShare(peak)),
        "time_share": Self.share(whole.microseconds > 0 ? sum.microseconds / whole.microseconds : nil),
      ]
    }
    let kinds = kinds.map { name, sum in JSON.object(json(sum).merging(["kind": .string(name)]) { $1 }) }
    return .object(json(whole).merging(["kinds": .array(kinds)]) { $1 })
  }
}
