import MLCCore

extension BenchReport {
  /// Giga-units a second, `–` for what nobody estimated.
  private static func rate(_ amount: Double?, _ microseconds: Double) -> String {
    amount.map { microseconds > 0 ? ($0 / microseconds / 1000).fixed(1) : "–" } ?? "–"
  }

  private static func percent(_ share: Double?) -> String { share.map { "\(($0 * 100).fixed(1))%" } ?? "–" }

  private var whole: Double { Swift.max(1e-9, rows.reduce(0) { $0 + $1.microseconds }) }

  /// Every kernel.
  var kernelListing: Listing {
    var listing = Listing(
      figures: ["µs", "share", "GFLOP/s", "peak", "GB/s", "memory"],
      names: ["kernel", "result", "nodes"],
      cut: ["result", "nodes"]
    )
    let whole = whole
    listing.rows = rows(.time).map { row in
      let sum = Sum([row], peak)
      return [
        row.microseconds.fixed(1), Self.percent(row.microseconds / whole),
        Self.rate(row.cost?.operations, row.microseconds), Self.percent(sum.peakShare),
        Self.rate(row.cost?.bytes, row.microseconds),
        Self.percent(row.cost?.bytes.flatMap { _ in sum.memoryShare(peak) }),
        row.kernel, row.results.joined(separator: ", "), row.nodes,
      ]
    }
    return listing
  }

  /// By kinds of kernels, the whole network last.
  var kindListing: Listing {
    var listing = Listing(
      figures: ["µs", "share", "steps", "MFLOP", "GFLOP/s", "peak", "MB", "GB/s", "memory"],
      names: ["kind"]
    )
    let whole = whole
    listing.rows = (kinds + [("all", Sum(rows, peak))]).map { name, sum in
      [
        sum.microseconds.fixed(1), Self.percent(sum.microseconds / whole), "\(sum.steps)",
        (sum.operations / 1e6).fixed(1), Self.rate(sum.operations, sum.microseconds), Self.percent(sum.peakShare),
        (sum.bytes / 1e6).fixed(1), Self.rate(sum.bytes, sum.microseconds), Self.percent(sum.memoryShare(peak)), name,
      ]
    }
    return listing
  }

  /// By the operators that the kernels are made of.
  var operatorListing: Listing {
    var listing = Listing(
      figures: ["µs", "share", "GFLOP/s", "peak", "GB/s", "memory", "steps"],
      names: ["operators"],
      cut: ["operators"]
    )
    let whole = whole
    listing.rows = operators.map { name, sum in
      [
        sum.microseconds.fixed(1), Self.percent(sum.microseconds / whole),
        Self.rate(sum.hasAllOperations ? sum.operations : nil, sum.microseconds), Self.percent(sum.peakShare),
        Self.rate(sum.bytes, sum.microseconds), Self.percent(sum.memoryShare(peak)), "\(sum.steps)",
        name.isEmpty ? "–" : name,
      ]
    }
    return listing
  }

  /// What the machine can do at most, then kernels, kinds and operators.
  var stepText: ConsoleText {
    let listings = costs.isEmpty ? [kernelListing] : [kernelListing, kindListing, operatorListing]
    return (peak.map { $0.text + "\n\n" } ?? "") + listings.map { $0.text }.joined(separator: "\n\n")
  }
}
