extension LayeredLayout {
  /// Rows that stand below each other.
  private struct Column {
    let rows: Range<Int>, left: Double, right: Double, top: Double, bottom: Double
    /// Edges that lead on into the next column.
    let turns: [Step]
    var gutter: Double { LayeredLayout.edge + LayeredLayout.lane * Double(turns.count) + LayeredLayout.edge }
  }

  private static let edge = 20.0, lane = 7.0
  /// A drawing that is not higher than this times its width stays one column; one in columns is about `wanted` times
  /// as wide as it is high.
  private static let tallest = 1.5, wanted = 1.4
  /// How much higher than an equal share a column may be, so that no remainder needs one of its own.
  private static let slack = 1.15

  /// Sets the rows of a drawing that is much higher than wide into columns, read from left to right, as many as make it
  /// nearest to a page's form. A column ends where few edges lead on.
  mutating func wrap() {
    guard height > Self.tallest * width else { return }
    func misfit(_ columns: [Column]) -> Double {
      let high = columns.map { $0.bottom - $0.top }.max() ?? 1
      let wide = columns.reduce(0) { $0 + $1.right - $1.left + $1.gutter }
      return max(wide / high / Self.wanted, Self.wanted * high / wide)
    }
    var best = columns(of: height)
    for count in 2...max(2, min(layers.count, 64)) {
      let next = columns(of: Self.slack * height / Double(count))
      if misfit(next) < misfit(best) { best = next }
    }
    place(best)
  }

  /// Columns of about the height `target`.
  private func columns(of target: Double) -> [Column] {
    var columns: [Column] = []
    var first = 0
    while first < layers.count {
      let top = extent(first).top
      let fitting = (first..<layers.count).prefix { $0 == first || extent($0).bottom - top <= target }
      var last = fitting.last ?? first
      if last + 1 < layers.count {
        let ends = fitting.filter { extent($0).bottom - top >= 0.7 * target }
        last = ends.reversed().min { steps(after: $0).count < steps(after: $1).count } ?? last
      }
      columns.append(column(first..<last + 1))
      first = last + 1
    }
    return columns
  }

  private func column(_ rows: Range<Int>) -> Column {
    let inside = layers[rows].joined().map { boxes[$0] }
    return Column(
      rows: rows,
      left: inside.map { $0.x - $0.width / 2 }.min() ?? 0,
      right: inside.map { $0.x + $0.width / 2 }.max() ?? 0,
      top: extent(rows.lowerBound).top,
      bottom: extent(rows.upperBound - 1).bottom,
      turns: rows.upperBound < layers.count ? steps(after: rows.upperBound - 1) : []
    )
  }

  private func extent(_ row: Int) -> (top: Double, bottom: Double) {
    let inside = layers[row].map { boxes[$0] }
    return (inside.map(\.y).min() ?? 0, inside.map { $0.y + $0.height }.max() ?? 0)
  }

  private func steps(after row: Int) -> [Step] {
    layers[row].flatMap { upper in below[upper].map { Step(from: upper, to: $0) } }
  }

  private mutating func place(_ columns: [Column]) {
    var left = 0.0
    for column in columns {
      for index in layers[column.rows].joined() {
        boxes[index].x += left - column.left
        boxes[index].y -= column.top
      }
      left += column.right - column.left
      for (number, step) in column.turns.enumerated() {
        let x = left + Self.edge + Self.lane * Double(number)
        turns[step] = Turn(x: x, bottom: column.bottom - column.top)
      }
      left += column.gutter
    }
    width = left - (columns.last?.gutter ?? 0)
    height = columns.map { $0.bottom - $0.top }.max() ?? 0
  }
}
