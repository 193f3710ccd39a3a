import MLCCore

extension BenchReport {
  private static func number(_ value: Double?) -> JSON { value.map { .number($0) } ?? .null }
  private static func share(_ value: Double?) -> JSON { value.map { .rounded($0, 4) } ?? .null }

  var opsJSON: [JSON] {
    rows(.execution).map { row in
      let sum = Sum([row], peak)
      let bytes = row.cost?.bytes.flatMap { _ in sum.memoryShare(peak) }
      return .object([
        "kernel": .string(row.kernel), "nodes": .string(row.nodes),
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
    func named(_ sums: [(name: String, sum: Sum)], _ key: String) -> JSON {
      .array(sums.map { name, sum in .object(json(sum).merging([key: .string(name)]) { $1 }) })
    }
    let parts = ["kinds": named(kinds, "kind"), "operators": named(operators, "operators")]
    return .object(json(whole).merging(parts) { $1 })
  }
}
