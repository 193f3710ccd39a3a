/// How a picture becomes one of a model's size. Raw values are Vision's.
public enum VNImageCropAndScaleOption: UInt, Sendable {
  /// The largest middle part of the model's proportions.
  case centerCrop = 0
  /// All of it in the middle, between bars of black.
  case scaleFit = 1
  /// All of it, its proportions changed.
  case scaleFill = 2
  /// Turned counterclockwise by 90°, then as `scaleFit`.
  case scaleFitRotate90CCW = 0x101
  /// Turned counterclockwise by 90°, then as `scaleFill`.
  case scaleFillRotate90CCW = 0x102
}
