import MLCCore

/// A picture of figures: a drawing without text in a box of any size, in which lines keep their width; scales and names
/// are HTML around it, so that they keep their size as well.
struct Plot {
  /// A name on a scale, and where: in percent from the left, or from the top.
  struct Mark {
    let name: String
    let place: Double
  }

  /// For those who do not see it.
  let label: String
  /// Beside the drawing, and below it.
  let scale: [Mark]
  var base: [Mark] = []
  /// Elements of SVG in a box of 100 by 100, the origin above on the left.
  let drawing: [String]
  /// Elements of HTML over the drawing.
  var names = ""
  let caption: String

  var html: String {
    """
    <figure class="chart">
    <div class="plot"><div class="scale" aria-hidden="true">\(spans(scale, "top"))</div>
    <div class="field"><svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="\(label.markup)">
    \(drawing.joined(separator: "\n"))
    </svg>\(names)</div>\(foot)</div>
    <figcaption>\(caption.markup)</figcaption></figure>

    """
  }

  private var foot: String {
    base.isEmpty ? "" : "<div class=\"scale base\" aria-hidden=\"true\">\(spans(base, "left"))</div>"
  }

  private func spans(_ marks: [Mark], _ side: String) -> String {
    marks.map { "<span style=\"\(side):\($0.place.fixed(2))%\">\($0.name.markup)</span>" }.joined()
  }

  /// A line across the drawing at `place` from the top.
  static func level(_ place: Double, _ style: String) -> String {
    "<path class=\"\(style)\" d=\"M0 \(place.fixed(2))H100\"/>"
  }

  /// A dot with a name that shows under the pointer.
  static func dot(_ x: Double, _ y: Double, _ style: String, _ title: String, width: Double? = nil) -> String {
    let size = width.map { " style=\"stroke-width:\($0.fixed(1))\"" } ?? ""
    return "<path class=\"\(style)\"\(size) d=\"M\(x.fixed(2)) \(y.fixed(2))h0\"><title>\(title.markup)</title></path>"
  }

  /// A line through `points`.
  static func line(_ points: [(x: Double, y: Double)], _ style: String = "line") -> String {
    let places = points.map { "\($0.x.fixed(2)) \($0.y.fixed(2))" }
    return places.isEmpty ? "" : "<path class=\"\(style)\" d=\"M\(places.joined(separator: "L"))\"/>"
  }
}
