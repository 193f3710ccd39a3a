import MLCCore
import MLCRuntime

extension BenchReport {
  /// A step that ran, with what it computes and moves.
  struct Row {
    var profile: StepProfile, cost: StepCosts.Step?
    /// Of one run.
    var microseconds: Double { Double(profile.nanoseconds) / Double(profile.runs) / 1000 }
    var kernel: String { profile.step.kernel }
    /// The user's nodes inside, `Conv_0, Relu_1`.
    var nodes: String { profile.step.nodes }
    var results: [String] { cost?.results.map { $0.description } ?? [] }

    /// Microseconds at the machine's peak; `nil` where nobody estimated the operations, or there is no such peak.
    func least(_ peak: MachinePeak?) -> Double? {
      guard let operations = cost?.operations, let rate = peak?.operations(cost?.factors) else { return nil }
      return operations / rate * 1e6
    }
  }

  /// Rows as one: of the whole network, or of a kind.
  struct Sum {
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

  var rows: [Row] {
    steps.enumerated().filter { $1.runs > 0 }.map { Row(profile: $1, cost: costs.isEmpty ? nil : costs[$0]) }
  }

  /// In the order that was asked for, else in the `usual` one.
  func rows(_ usual: StepOrder) -> [Row] {
    switch order ?? usual {
    case .execution: rows
    case .time: slowest
    }
  }

  /// The slowest first.
  var slowest: [Row] { rows.sorted { $0.microseconds > $1.microseconds } }

  /// By kinds of kernels, the slowest first.
  var kinds: [(name: String, sum: Sum)] { sums { $0.cost?.kind ?? "other" } }

  /// By the operators that kernels are made of, the slowest first.
  var operators: [(name: String, sum: Sum)] { sums { $0.cost?.operators ?? "" } }

  private func sums(by name: (Row) -> String) -> [(name: String, sum: Sum)] {
    Dictionary(grouping: rows, by: name).map { (name: $0, sum: Sum($1, peak)) }
      .sorted { ($1.sum.microseconds, $0.name) < ($0.sum.microseconds, $1.name) }
  }
}
