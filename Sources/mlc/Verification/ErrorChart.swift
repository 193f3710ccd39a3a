import MLCCompiler
import MLCCore

/// The error along a network as a picture: the signal-to-noise ratio of each measured layer over its place, repeated
/// blocks as bands, the level that the tolerance requires as a line, the culprit marked and named.
///
/// Ratios are drawn between 0 and 160 dB, and what is exact at the top.
struct ErrorChart {
  let finding: LayerFinding

  private static let top = 160.0

  /// In percent from the left.
  private func x(_ position: Int) -> Double {
    50 * (finding.share(before: position) + finding.share(before: position + 1))
  }
  /// In percent from the top.
  private func y(_ decibels: Double) -> Double { 100 - 100 * min(max(decibels / Self.top, 0), 1) }

  /// What tolerances require, each level once.
  private var levels: [Double] {
    Set(finding.layers.map { $0.comparison.tolerance.requiredSignalToNoise }).filter { $0.isFinite }.sorted()
  }

  var plot: Plot {
    Plot(
      label: "Signal-to-noise ratio along the network",
      scale: [0, 40, 80, 120, 160].map { Plot.Mark(name: $0.fixed(0), place: y($0)) },
      drawing: drawing,
      names: names,
      caption: caption
    )
  }

  private var drawing: [String] {
    let bands = finding.blocks.map { block in
      let left = 100 * finding.share(before: block.range.lowerBound)
      let right = 100 * finding.share(before: block.range.upperBound + 1)
      return "<rect class=\"band\" x=\"\(left.fixed(2))\" y=\"0\" width=\"\((right - left).fixed(2))\" height=\"100\"/>"
    }
    let grid = [40.0, 80, 120].map { Plot.level(y($0), "grid") }
    let required = levels.map { Plot.level(y($0), "level-line") }
    let places = finding.layers.map { (x: x($0.position), y: y($0.comparison.signalToNoise)) }
    let dots = zip(finding.layers, places).map { layer, place in
      Plot.dot(
        place.x,
        place.y,
        finding.isCulprit(layer) ? "dot culprit" : "dot",
        "\(layer.node ?? layer.value), \(layer.op): \(layer.comparison.decibelsAndUnit)"
      )
    }
    return bands + grid + required + [Plot.line(places)] + dots
  }

  /// The required level, and the culprit on the side of it that has more room.
  private var names: String {
    let required = levels.map { level in
      "<span class=\"level\" style=\"top:\(y(level).fixed(2))%\">required: \(level.fixed(0)) dB</span>"
    }
    guard let culprit = finding.culprit else { return required.joined() }
    let place = x(culprit.position)
    let side = place < 50 ? "left:\(place.fixed(2))%" : "right:\((100 - place).fixed(2))%"
    let name = (culprit.node ?? culprit.value).markup
    let height = y(culprit.comparison.signalToNoise)
    let end = height < 50 ? "top:\((height + 4).fixed(2))%" : "bottom:\((104 - height).fixed(2))%"
    return required.joined() + "<span class=\"name\" style=\"\(side);\(end)\">\(name)</span>"
  }

  private var caption: String {
    var parts = ["Signal-to-noise ratio in dB of the values that were measured, from the first operation to the last."]
    if !levels.isEmpty {
      parts.append("Below the dashed line, a tensor of root mean square 1 or more has elements out of tolerance.")
    }
    if !finding.blocks.isEmpty { parts.append("Shaded: repeated blocks.") }
    return parts.joined(separator: " ")
  }
}

extension Comparison {
  /// `98.1 dB`, `exact`
  var decibelsAndUnit: String { signalToNoise.isFinite ? "\(decibels) dB" : decibels }
}
