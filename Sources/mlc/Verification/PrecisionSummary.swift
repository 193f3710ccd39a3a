import MLCCompiler
import MLCCore
import MLCPackage
import MLCPasses

/// What a program stored as fp16 keeps in fp32, and what its outputs keep of their signal.
struct PrecisionSummary {
  /// One a function; none when the program stays fp32.
  var reports: [HalfPrecision.Report] = []

  private var kept: [HalfHazard] { reports.flatMap { $0.kept } }
  private var samples: Int { reports.map { $0.samples }.min() ?? 0 }
  private var decibels: Double { reports.map { $0.decibels }.min() ?? .infinity }

  /// A line for each kind of reason with the first operations, and how far the outputs lie above or below `floor`.
  func lines(floor: Double) -> [String] {
    var lines: [String] = []
    for kind in kinds {
      let group = kept.filter { $0.reason.kind == kind }
      guard let heading = group.first?.reason.heading else { continue }
      let shown = group.prefix(3).map { entry in
        let name = entry.node ?? entry.value
        return entry.reason.detail == heading ? name : "\(name) (\(entry.reason.detail))"
      }
      let rest = group.count > 3 ? " and \(group.count - 3) more" : ""
      lines.append("stays fp32, \(heading): \(shown.joined(separator: ", "))\(rest)")
    }
    if decibels.isFinite {
      let by = abs(decibels - floor).fixed(1)
      lines.append(
        "the outputs keep \(decibels.fixed(1)) dB in fp16 on the worst of \(samples) inputs, \(by) "
          + "\(decibels < floor ? "less" : "more") than wanted"
      )
    }
    return lines
  }

  /// Kinds of reasons in the order of first appearance.
  private var kinds: [String] {
    kept.reduce(into: []) { kinds, entry in
      if !kinds.contains(entry.reason.kind) { kinds.append(entry.reason.kind) }
    }
  }

  /// `null` for a program that stays fp32. `snr_db` is `null` without error.
  var json: JSON {
    if reports.isEmpty { return .null }
    let rows: [JSON] = kept.map { entry in
      .object([
        "node": entry.node.map { .string($0) } ?? .null, "value": .string(entry.value), "op": .string(entry.op),
        "reason": .string(entry.reason.kind), "detail": .string(entry.reason.detail),
      ])
    }
    return .object([
      "precision": .string("fp16"), "snr_db": .rounded(decibels, 3), "samples": .integer(samples),
      "kept_fp32": .array(rows),
    ])
  }
}
