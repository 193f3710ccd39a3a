/// A picture of red, green and blue bytes, row by row.
struct Picture {
  let width: Int, height: Int
  var pixels: [UInt8]

  struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == 3 * width * height)
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }
}

/// A point of a picture; pixel (0, 0) covers 0 … 1 on both axes.
struct Point: Equatable {
  var x: Float, y: Float

  static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
  static func * (a: Point, scale: Float) -> Point { Point(x: a.x * scale, y: a.y * scale) }
}
