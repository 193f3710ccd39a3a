import MLCCore

/// How a stored picture is turned and mirrored to be shown: the tag Orientation, 0x0112, of Exif 2.3 (4.6.4, A).
///
/// The shown pixel in row `y` and column `x` is the stored one in row `y` and column `x`, or in row `x` and column `y`
/// where `isTransposed`; rows and columns count from the end of the stored picture where they are flipped.
package struct ImageOrientation: Hashable, Sendable {
  let isTransposed: Bool, flipsRows: Bool, flipsColumns: Bool

  static let upright = ImageOrientation(isTransposed: false, flipsRows: false, flipsColumns: false)

  private init(isTransposed: Bool, flipsRows: Bool, flipsColumns: Bool) {
    (self.isTransposed, self.flipsRows, self.flipsColumns) = (isTransposed, flipsRows, flipsColumns)
  }

  /// The tag's values, 1 … 8, say which sides of what is shown the stored picture's first row and first column are;
  /// `nil` for other values.
  package init?(exif value: Int) {
    guard (1...8).contains(value) else { return nil }
    self.init(
      isTransposed: value > 4,
      flipsRows: [3, 4, 6, 7].contains(value),
      flipsColumns: [2, 3, 7, 8].contains(value)
    )
  }

  /// `picture` as it is shown: `uint8[height, width, channels]`, height and width swapped where `isTransposed`.
  package func shown(_ picture: Tensor) -> Tensor {
    if self == .upright { return picture }
    let (height, width, channels) = (picture.shape[0], picture.shape[1], picture.shape[2])
    let shape = isTransposed ? [width, height] : [height, width]
    return picture.withElements(of: UInt8.self) { stored in
      Tensor(.uint8, shape + [channels]) { (out: UnsafeMutableBufferPointer<UInt8>) in
        var place = 0
        for y in 0..<shape[0] {
          for x in 0..<shape[1] {
            let (row, column) = isTransposed ? (x, y) : (y, x)
            let first = (flipsRows ? height - 1 - row : row) * width + (flipsColumns ? width - 1 - column : column)
            for channel in 0..<channels { out[place + channel] = stored[first * channels + channel] }
            place += channels
          }
        }
      }
    }
  }
}
