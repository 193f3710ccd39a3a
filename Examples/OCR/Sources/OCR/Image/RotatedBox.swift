/// A rectangle at any angle, around a line of text.
struct RotatedBox: Equatable {
  var centre: Point
  /// Along the text, and across.
  var width: Float, height: Float
  /// Unit vector in the direction of reading.
  var direction: Point

  /// Unit vector from the text's top to its bottom.
  var down: Point { Point(x: -direction.y, y: direction.x) }

  /// From the top left, as the text is read, clockwise.
  var corners: [Point] {
    let (along, across) = (direction * (width / 2), down * (height / 2))
    return [centre - along - across, centre + along - across, centre + along + across, centre - along + across]
  }

  /// Wider on every side by `distance`.
  func grown(by distance: Float) -> RotatedBox {
    RotatedBox(centre: centre, width: width + 2 * distance, height: height + 2 * distance, direction: direction)
  }

  /// In another scale.
  func scaled(x: Float, y: Float) -> RotatedBox {
    let along = Point(x: direction.x * x, y: direction.y * y)
    let across = Point(x: down.x * x, y: down.y * y)
    let (long, wide) = (along.length, across.length)
    return RotatedBox(
      centre: Point(x: centre.x * x, y: centre.y * y),
      width: width * long,
      height: height * wide,
      direction: along * (1 / max(long, .leastNormalMagnitude))
    )
  }
}

extension RotatedBox {
  /// The rectangle of least area around `points`, which are the corners of a convex shape: one of its sides lies on a
  /// side of the shape. `nil` for fewer than three points.
  ///
  /// Text is taken to run along the side that is nearer to the horizontal, unless the other is half as long again.
  init?(around points: [Point]) {
    guard points.count >= 3 else { return nil }
    var best: RotatedBox?
    for (index, start) in points.enumerated() {
      let side = points[(index + 1) % points.count] - start
      guard side.length > 0 else { continue }
      let box = RotatedBox(points, along: side * (1 / side.length))
      if best.map({ box.width * box.height < $0.width * $0.height }) ?? true { best = box }
    }
    guard let best else { return nil }
    self = best.turned
  }

  /// The rectangle around `points` with sides along `direction` and across.
  private init(_ points: [Point], along direction: Point) {
    let across = Point(x: -direction.y, y: direction.x)
    let (u, v) = (points.map { $0.dot(direction) }, points.map { $0.dot(across) })
    let (left, right) = (u.min() ?? 0, u.max() ?? 0)
    let (top, bottom) = (v.min() ?? 0, v.max() ?? 0)
    centre = direction * ((left + right) / 2) + across * ((top + bottom) / 2)
    (width, height, self.direction) = (right - left, bottom - top, direction)
  }

  /// The same rectangle with the direction of reading as the type says.
  private var turned: RotatedBox {
    var box = self
    if abs(box.direction.x) < abs(box.direction.y) { box = box.quarterTurned }
    if box.height >= 1.5 * box.width { box = box.quarterTurned }
    // From left to right; what stands upright, from bottom to top.
    let isReversed = abs(box.direction.x) >= abs(box.direction.y) ? box.direction.x < 0 : box.direction.y > 0
    if isReversed { box.direction = box.direction * -1 }
    return box
  }

  private var quarterTurned: RotatedBox {
    RotatedBox(centre: centre, width: height, height: width, direction: down)
  }
}

extension Point {
  func dot(_ other: Point) -> Float { x * other.x + y * other.y }
  var length: Float { dot(self).squareRoot() }
}
