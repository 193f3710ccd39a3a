import Foundation
import MLCCore

/// Kernels by operations a second over operations a byte, both in powers of ten, under what the machine makes of either
/// at most: https://doi.org/10.1145/1498765.1498785.
struct Roofline {
  private let rows: [BenchReport.Row]
  private let peak: MachinePeak
  /// Powers of ten: of operations a byte, and of operations a nanosecond.
  private let across: ClosedRange<Double>, along: ClosedRange<Double>

  /// `nil` where no kernel has estimates of both.
  init?(rows: [BenchReport.Row], peak: MachinePeak) {
    self.rows = rows.filter {
      ($0.cost?.operations ?? 0) > 0 && ($0.cost?.bytes ?? 0) > 0 && $0.microseconds > 0
    }
    self.peak = peak
    if self.rows.isEmpty { return nil }
    let ridge = log10(peak.float32 / peak.reading)
    across = Self.decades(self.rows.map(Self.intensity) + [ridge])
    along = Self.decades(self.rows.map(Self.speed) + [log10(peak.float32 / 1e9)])
  }

  private static func intensity(_ row: BenchReport.Row) -> Double {
    log10((row.cost?.operations ?? 1) / (row.cost?.bytes ?? 1))
  }
  private static func speed(_ row: BenchReport.Row) -> Double {
    log10((row.cost?.operations ?? 1) / row.microseconds / 1000)
  }
  private static func decades(_ values: [Double]) -> ClosedRange<Double> {
    let (low, high) = ((values.min() ?? 0).rounded(.down), (values.max() ?? 1).rounded(.up))
    return low...max(high, low + 1)
  }

  private func x(_ power: Double) -> Double {
    100 * (power - across.lowerBound) / (across.upperBound - across.lowerBound)
  }
  private func y(_ power: Double) -> Double {
    100 - 100 * (power - along.lowerBound) / (along.upperBound - along.lowerBound)
  }

  var plot: Plot {
    let marks = Self.powers(along)
    return Plot(
      label: "Speed of kernels beside the machine's limits",
      scale: marks.map { Plot.Mark(name: Self.name($0), place: y($0)) },
      base: Self.powers(across).map { Plot.Mark(name: Self.name($0), place: x($0)) },
      drawing: marks.map { Plot.level(y($0), "grid") } + [roof] + dots,
      caption: "GFLOP/s of kernels over the operations that they make of each byte of their tensors, counted once; "
        + "larger dots take more of the time. The line is what this machine makes at most of what it reads from "
        + "memory, in float32: what comes from a cache, is multiplied in narrower types or less often than the "
        + "definition says may lie above."
    )
  }

  /// From the left up to where the processor, not the memory, is the limit, and on from there; inside of the drawing.
  private var roof: String {
    let (memory, top) = (log10(peak.reading / 1e9), log10(peak.float32 / 1e9))
    // On the slope, powers of speed and of operations a byte differ by that of the memory.
    let start = max(across.lowerBound, along.lowerBound - memory)
    let points = [(start, start + memory), (top - memory, top), (across.upperBound, top)]
    let path = points.map { "\(x($0.0).fixed(2)) \(y($0.1).fixed(2))" }.joined(separator: "L")
    return "<path class=\"roof\" d=\"M\(path)\"/>"
  }

  /// Their areas are as their times.
  private var dots: [String] {
    let longest = rows.map { $0.microseconds }.max() ?? 1
    return rows.map { row in
      let size = max(3, 18 * (row.microseconds / longest).squareRoot())
      let speed = "\(pow(10, Self.speed(row)).fixed(1)) GFLOP/s, \(row.microseconds.fixed(1)) µs"
      let title = "\(row.kernel): \(speed); \(row.nodes)"
      return Plot.dot(x(Self.intensity(row)), y(Self.speed(row)), "dot roofed", title, width: size)
    }
  }

  private static func powers(_ range: ClosedRange<Double>) -> [Double] {
    Array(stride(from: range.lowerBound, through: range.upperBound, by: 1))
  }
  private static func name(_ power: Double) -> String { pow(10, power).fixed(power < 0 ? Int(-power) : 0) }
}
