/// How a stored picture is turned and mirrored to be shown.
///
/// The shown pixel in row `y` and column `x` is the stored one in row `y` and column `x`, or in row `x` and column `y`
/// where `isTransposed`; rows and columns count from the end of the stored picture where they are flipped.
package struct Orientation: Hashable, Sendable {
  package let isTransposed: Bool, flipsRows: Bool, flipsColumns: Bool

  package init(isTransposed: Bool, flipsRows: Bool, flipsColumns: Bool) {
    (self.isTransposed, self.flipsRows, self.flipsColumns) = (isTransposed, flipsRows, flipsColumns)
  }

  package init(_ orientation: CGImagePropertyOrientation) {
    self.init(
      isTransposed: orientation.rawValue > 4,
      flipsRows: [.down, .downMirrored, .right, .rightMirrored].contains(orientation),
      flipsColumns: [.upMirrored, .down, .rightMirrored, .left].contains(orientation)
    )
  }

  /// What is shown, turned counterclockwise by 90°.
  package var turned: Orientation {
    // The shown picture's columns become rows, counted from its end.
    isTransposed
      ? Orientation(isTransposed: false, flipsRows: !flipsRows, flipsColumns: flipsColumns)
      : Orientation(isTransposed: true, flipsRows: flipsRows, flipsColumns: !flipsColumns)
  }
}
