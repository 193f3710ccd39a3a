/// How a stored picture is turned and mirrored to be shown. Raw values are those of Exif.
///
/// Names say where the stored picture's first row and its first column are in what is shown: `right` has the first row
/// on the right, and is shown turned clockwise by 90°.
public enum CGImagePropertyOrientation: UInt32, Sendable, CaseIterable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8
}
