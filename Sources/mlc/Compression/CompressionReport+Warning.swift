import MLCPasses

extension CompressionReport {
  /// A channel that lost more than this share of itself is worth a warning.
  static let limit = 0.1
}

extension [CompressionReport] {
  /// What the user should know of channels that lost much.
  var warning: String? {
    let compressed = flatMap { $0.compressed }
    let bad = compressed.filter { ($0.error?.worst ?? 0) > CompressionReport.limit }
    guard let worst = bad.max(by: { $0.error?.worst ?? 0 < $1.error?.worst ?? 0 }), let error = worst.error else {
      return nil
    }
    let place = "'\(worst.name)' channel \(error.worstChannel) has \(error.worst.percent)"
    let verb = bad.count == 1 ? "has" : "have"
    return
      "\(bad.count) of \(compressed.count.of("weight")) \(verb) an output channel with an error above 10 %; \(place). "
      + "More bits, scales of channels, and smaller groups or blocks make it smaller"
  }

  /// Why no weight changed, with the names of some; `nil` when one did.
  var nothingDone: String? {
    let weights = flatMap { $0.weights }
    guard weights.allSatisfy({ $0.form == nil }) else { return nil }
    guard let first = weights.first else { return "no weight is compressed: the model has none" }
    let reason = first.reason.map { ", \($0)" } ?? ""
    return "no weight is compressed; the first of \(weights.count) is '\(first.name)'\(reason)"
  }
}
