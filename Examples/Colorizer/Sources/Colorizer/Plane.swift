/// One number for each pixel.
struct Plane {
  let width: Int, height: Int
  var values: [Float]

  /// In another size: the mean of what a pixel covers where it covers more than one, and between the nearest four
  /// otherwise.
  func resized(width: Int, height: Int) -> Plane {
    let columns = Self.weights(from: self.width, to: width)
    let rows = Self.weights(from: self.height, to: height)
    var result = Plane(width: width, height: height, values: [Float](repeating: 0, count: width * height))
    var narrow = [Float](repeating: 0, count: width * self.height)
    for y in 0..<self.height {
      for x in 0..<width {
        for (at, weight) in columns[x] { narrow[y * width + x] += weight * values[y * self.width + at] }
      }
    }
    for y in 0..<height {
      for (at, weight) in rows[y] {
        for x in 0..<width { result.values[y * width + x] += weight * narrow[at * width + x] }
      }
    }
    return result
  }

  /// For each place in `to` what it takes from those in `from`: a triangle around its middle, as wide as both scales
  /// need; its weights sum up to 1.
  private static func weights(from: Int, to: Int) -> [[(Int, Float)]] {
    let scale = Float(from) / Float(to)
    let reach = max(1, scale)
    return (0..<to).map { place in
      let middle = (Float(place) + 0.5) * scale - 0.5
      let (first, last) = (Int((middle - reach).rounded(.up)), Int((middle + reach).rounded(.down)))
      let taken = (first...last).map { at in
        (min(from - 1, max(0, at)), max(0, 1 - abs(Float(at) - middle) / reach))
      }
      let sum = taken.reduce(0) { $0 + $1.1 }
      return taken.map { ($0.0, $0.1 / sum) }
    }
  }
}
