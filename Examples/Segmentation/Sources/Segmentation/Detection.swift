/// An object that was found.
struct Detection {
  /// The class, from 0.
  var kind: Int
  /// 0 … 1.
  var score: Float
  /// In pixels of the network's picture.
  var box: Box
  var mask: Mask
}

struct Box: Equatable {
  var left: Float, top: Float, right: Float, bottom: Float

  var area: Float { max(0, right - left) * max(0, bottom - top) }

  /// The area that both cover over the area that either does; 0 where neither has any.
  func overlap(_ other: Box) -> Float {
    let common = Box(
      left: max(left, other.left),
      top: max(top, other.top),
      right: min(right, other.right),
      bottom: min(bottom, other.bottom)
    ).area
    return common == 0 ? 0 : common / (area + other.area - common)
  }

  func scaled(x: Float, y: Float) -> Box { Box(left: left * x, top: top * y, right: right * x, bottom: bottom * y) }
}

/// A mask's values on the cells of the prototypes that a box touches: positive inside the object.
struct Mask {
  let columns: Range<Int>, rows: Range<Int>
  var values: [Float]

  /// The value at a point, bilinear between the centres of cells; cell (0, 0) covers 0 … 1 on both axes.
  func value(x: Float, y: Float) -> Float {
    guard !columns.isEmpty, !rows.isEmpty else { return -1 }
    let x = min(max(x - 0.5 - Float(columns.lowerBound), 0), Float(columns.count - 1))
    let y = min(max(y - 0.5 - Float(rows.lowerBound), 0), Float(rows.count - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, columns.count - 1), min(top + 1, rows.count - 1))
    let (u, v) = (x - Float(left), y - Float(top))
    func at(_ column: Int, _ row: Int) -> Float { values[row * columns.count + column] }
    let upper = at(left, top) + (at(right, top) - at(left, top)) * u
    let lower = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * u
    return upper + (lower - upper) * v
  }
}
