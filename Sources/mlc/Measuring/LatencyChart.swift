import MLCCore

/// What predictions took, one after another, as a picture; median and 95th percentile as lines.
struct LatencyChart {
  let milliseconds: [Double]
  let median: Double, percentile95: Double

  /// More predictions than these share dots.
  private static let most = 400

  /// The slowest of each group of predictions that share a dot.
  private var dots: [Double] {
    let step = (milliseconds.count + Self.most - 1) / Self.most
    return stride(from: 0, to: milliseconds.count, by: max(1, step)).map { start in
      milliseconds[start..<min(start + step, milliseconds.count)].max() ?? 0
    }
  }

  var plot: Plot {
    let (dots, isMicro) = (dots, median < 1)
    let top = RoundScale(above: max(dots.max() ?? 0, 1e-6))
    func y(_ value: Double) -> Double { 100 - 100 * value / top.end }
    func x(_ place: Int) -> Double { 100 * (Double(place) + 0.5) / Double(max(dots.count, 1)) }
    func name(_ value: Double) -> String { isMicro ? "\((value * 1000).fixed(1)) µs" : "\(value.fixed(2)) ms" }
    let places = dots.enumerated().map { (x: x($0), y: y($1)) }
    let marks = zip(dots, places).map { Plot.dot($1.x, $1.y, "dot", name($0)) }
    let levels = Plot.level(y(median), "median-line") + Plot.level(y(percentile95), "level-line")
    return Plot(
      label: "Latency of each prediction",
      scale: top.marks.map { Plot.Mark(name: top.name($0, times: isMicro ? 1000 : 1), place: y($0)) },
      base: [Plot.Mark(name: "1", place: 0), Plot.Mark(name: milliseconds.count.grouped, place: 100)],
      drawing: top.marks.map { Plot.level(y($0), "grid") } + [levels, Plot.line(places)] + marks,
      caption: caption(isMicro ? "Microseconds" : "Milliseconds", name(median), name(percentile95))
    )
  }

  private func caption(_ unit: String, _ median: String, _ percentile95: String) -> String {
    let each = milliseconds.count > Self.most ? "the slowest of each group of neighbours" : "each one"
    return "\(unit) of predictions one after another, \(each). Dashed: the median, \(median), and above it what 95 % "
      + "of them do not exceed, \(percentile95)."
  }
}
