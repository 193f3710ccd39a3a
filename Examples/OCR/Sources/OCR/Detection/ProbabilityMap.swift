/// How probable text is at each pixel.
struct ProbabilityMap {
  let values: [Float], width: Int, height: Int

  /// Pixels that touch, if only at a corner.
  struct Region {
    /// The corners of the smallest convex shape around the pixels.
    var hull: [Point]
    var meanProbability: Float
  }

  /// The regions of pixels above `threshold`, in the order of their topmost pixels.
  func regions(above threshold: Float) -> [Region] {
    var isFree = values.map { $0 > threshold }
    var regions: [Region] = []
    for start in isFree.indices where isFree[start] {
      isFree[start] = false
      var stack = [start]
      var count = 0
      var sum: Float = 0
      // By row, the leftmost and the rightmost pixel: the hull needs no other.
      var extents: [Int: (left: Int, right: Int)] = [:]
      while let pixel = stack.popLast() {
        let (x, y) = (pixel % width, pixel / width)
        count += 1
        sum += values[pixel]
        let extent = extents[y] ?? (x, x)
        extents[y] = (min(extent.left, x), max(extent.right, x))
        for row in max(0, y - 1)...min(height - 1, y + 1) {
          for column in max(0, x - 1)...min(width - 1, x + 1) where isFree[row * width + column] {
            isFree[row * width + column] = false
            stack.append(row * width + column)
          }
        }
      }
      regions.append(Region(hull: Self.hull(extents), meanProbability: sum / Float(count)))
    }
    return regions
  }

  /// Andrew's monotone chain over the corners of the outermost pixels.
  private static func hull(_ extents: [Int: (left: Int, right: Int)]) -> [Point] {
    var points: [Point] = []
    for (y, extent) in extents {
      for (x, side) in [(extent.left, 0), (extent.right, 1)] {
        for edge in 0...1 { points.append(Point(x: Float(x + side), y: Float(y + edge))) }
      }
    }
    points.sort { ($0.x, $0.y) < ($1.x, $1.y) }
    func chain(_ points: [Point]) -> [Point] {
      var chain: [Point] = []
      for point in points {
        while chain.count >= 2 {
          let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
          let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
          if turn > 0 { break }
          chain.removeLast()
        }
        chain.append(point)
      }
      return chain.dropLast()
    }
    return chain(points) + chain(points.reversed())
  }
}
