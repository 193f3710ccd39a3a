@testable import Segmentation

/// A shape as it was drawn, in pixels of the picture.
struct Shape: Decodable {
  var kind: String
  var left: Float, top: Float, width: Float, height: Float

  var box: Box { Box(left: left, top: top, right: left + width, bottom: top + height) }

  func contains(_ x: Float, _ y: Float) -> Bool {
    let (u, v) = ((x - left) / width, (y - top) / height)
    guard u >= 0, u < 1, v >= 0, v < 1 else { return false }
    return switch kind {
    case "circle": (u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5) < 0.25
    case "triangle": abs(u - 0.5) < v / 2
    default: true
    }
  }

  /// The pixels that are in the shape and in the mask, over those that are in either; `cells` of the mask a pixel.
  func overlap(_ mask: Mask, _ cells: (x: Float, y: Float), width: Int, height: Int) -> Double {
    var (both, either) = (0, 0)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Float(column) + 0.5, Float(row) + 0.5)
        let isUnder = mask.columns.contains(Int(x * cells.x)) && mask.rows.contains(Int(y * cells.y))
        let (isIn, isMasked) = (contains(x, y), isUnder && mask.value(x: x * cells.x, y: y * cells.y) > 0)
        if isIn && isMasked { both += 1 }
        if isIn || isMasked { either += 1 }
      }
    }
    return Double(both) / Double(either)
  }
}
