import MLCCore
import MLCImage

extension ImageFile {
  /// A picture in other extents. Each target pixel's centre is mapped to the source, and its four neighbours there are
  /// weighted by their distance (bilinear, half-pixel centres, edges repeated, no smoothing when shrinking).
  ///
  /// `picture: uint8[h, w, c]` → `uint8[height, width, c]`, rounded to nearest. An extent that is `nil` follows from
  /// the other, keeping the proportions, at least 1. Throws `image.shape` when `picture` is none, `image.size` for
  /// extents that are not positive or give more than `maximumBytes`.
  package static func resize(_ picture: Tensor, height: Int?, width: Int?) throws(Diagnostic) -> Tensor {
    guard picture.dtype == .uint8, picture.rank == 3, picture.count > 0, picture.count <= maximumBytes else {
      throw Diagnostic("image.shape", "a picture is uint8[height, width, channels], not \(picture.type)")
    }
    let (h, w, channels) = (picture.shape[0], picture.shape[1], picture.shape[2])
    let rows = height ?? proportional(h, width, w)
    let columns = width ?? proportional(w, height, h)
    guard rows > 0, columns > 0, let count = [rows, columns, channels].checkedProduct, count <= maximumBytes else {
      throw Diagnostic("image.size", "a picture of \(columns) × \(rows) pixels is too large, or empty")
    }
    if rows == h && columns == w { return picture }
    let (vertical, horizontal) = (taps(rows, h), taps(columns, w))
    return picture.withElements(of: UInt8.self) { source in
      Tensor(.uint8, [rows, columns, channels]) { (out: UnsafeMutableBufferPointer<UInt8>) in
        var position = 0
        for y in vertical {
          for x in horizontal {
            for channel in 0..<channels {
              func pixel(_ row: Int, _ column: Int) -> Float { Float(source[(row * w + column) * channels + channel]) }
              let top = pixel(y.low, x.low) + (pixel(y.low, x.high) - pixel(y.low, x.low)) * x.weight
              let bottom = pixel(y.high, x.low) + (pixel(y.high, x.high) - pixel(y.high, x.low)) * x.weight
              out[position] = UInt8((top + (bottom - top) * y.weight).rounded())
              position += 1
            }
          }
        }
      }
    }
  }

  /// `extent · target / other`, rounded to nearest; `extent` when there is no target.
  private static func proportional(_ extent: Int, _ target: Int?, _ other: Int) -> Int {
    guard let target else { return extent }
    let value = (Double(extent) * Double(target) / Double(other)).rounded()
    return max(1, Int(min(value, Double(maximumBytes) + 1)))
  }

  /// For each target index the two source indices around it and the weight of the second.
  private static func taps(_ target: Int, _ source: Int) -> [(low: Int, high: Int, weight: Float)] {
    (0..<target).map { index in
      let centre = (Double(index) + 0.5) * Double(source) / Double(target) - 0.5
      let clamped = min(max(centre, 0), Double(source - 1))
      let low = Int(clamped)
      return (low, min(low + 1, source - 1), Float(clamped - Double(low)))
    }
  }
}
