extension Picture {
  /// Draws the outline of `box`, two pixels wide.
  mutating func draw(_ box: RotatedBox, colour: (UInt8, UInt8, UInt8)) {
    let corners = box.corners
    for (index, start) in corners.enumerated() {
      let side = corners[(index + 1) % corners.count] - start
      let steps = max(1, Int(max(abs(side.x), abs(side.y)) * 2))
      for step in 0...steps {
        let point = start + side * (Float(step) / Float(steps))
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] { set(Int(point.x) + dx, Int(point.y) + dy, colour) }
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ colour: (UInt8, UInt8, UInt8)) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    let at = 3 * (y * width + x)
    (pixels[at], pixels[at + 1], pixels[at + 2]) = colour
  }
}
