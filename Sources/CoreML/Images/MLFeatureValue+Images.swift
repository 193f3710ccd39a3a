import CoreGraphics
import CoreVideo
import Foundation

// Initialisers draw the picture into a new pixel buffer of the size and format, resampled with antialiasing; where it
// is transparent it is laid over black. They throw `MLModelError.featureType` for formats that are not drawn and for an
// empty size or part, `generic` for options that are none, and those that read files `io` for a file that is not there
// or damaged, and `generic` where the product `ImageIO` is not linked.

extension MLFeatureValue {
  private convenience init(
    _ source: ImageSource,
    _ orientation: CGImagePropertyOrientation,
    _ width: Int,
    _ height: Int,
    _ format: OSType,
    _ options: [ImageOption: Any]?
  ) throws {
    let drawing = try ImageDrawing(orientation, options)
    self.init(pixelBuffer: try drawing.buffer(of: source, width, height, format))
  }

  private convenience init(
    _ source: ImageSource,
    _ orientation: CGImagePropertyOrientation,
    _ constraint: MLImageConstraint,
    _ options: [ImageOption: Any]?
  ) throws {
    let (width, height) = (constraint.pixelsWide, constraint.pixelsHigh)
    try self.init(source, orientation, width, height, constraint.pixelFormatType, options)
  }

  /// A picture in the size and format, upright.
  public convenience init(
    cgImage: CGImage,
    pixelsWide: Int,
    pixelsHigh: Int,
    pixelFormatType: OSType,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    try self.init(.bitmap(cgImage.bitmap), .up, pixelsWide, pixelsHigh, pixelFormatType, options)
  }

  /// A picture in the size and format that the model wants, upright.
  public convenience init(
    cgImage: CGImage,
    constraint: MLImageConstraint,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    try self.init(.bitmap(cgImage.bitmap), .up, constraint, options)
  }

  /// A picture that is turned as `orientation` says, in the size and format.
  public convenience init(
    cgImage: CGImage,
    orientation: CGImagePropertyOrientation,
    pixelsWide: Int,
    pixelsHigh: Int,
    pixelFormatType: OSType,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    try self.init(.bitmap(cgImage.bitmap), orientation, pixelsWide, pixelsHigh, pixelFormatType, options)
  }

  /// A picture that is turned as `orientation` says, in the size and format that the model wants.
  public convenience init(
    cgImage: CGImage,
    orientation: CGImagePropertyOrientation,
    constraint: MLImageConstraint,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    try self.init(.bitmap(cgImage.bitmap), orientation, constraint, options)
  }

  /// The picture in a file, turned as the file says, in the size and format.
  public convenience init(
    imageAt url: URL,
    pixelsWide: Int,
    pixelsHigh: Int,
    pixelFormatType: OSType,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    let source = try ImageSource(at: url)
    try self.init(source, source.orientation, pixelsWide, pixelsHigh, pixelFormatType, options)
  }

  /// The picture in a file, turned as the file says, in the size and format that the model wants.
  public convenience init(
    imageAt url: URL,
    constraint: MLImageConstraint,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    let source = try ImageSource(at: url)
    try self.init(source, source.orientation, constraint, options)
  }

  /// The picture in a file, turned as `orientation` says whatever the file does, in the size and format.
  public convenience init(
    imageAt url: URL,
    orientation: CGImagePropertyOrientation,
    pixelsWide: Int,
    pixelsHigh: Int,
    pixelFormatType: OSType,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    try self.init(try ImageSource(at: url), orientation, pixelsWide, pixelsHigh, pixelFormatType, options)
  }

  /// The picture in a file, turned as `orientation` says whatever the file does, in the size and format that the model
  /// wants.
  public convenience init(
    imageAt url: URL,
    orientation: CGImagePropertyOrientation,
    constraint: MLImageConstraint,
    options: [MLFeatureValue.ImageOption: Any]? = nil
  ) throws {
    try self.init(try ImageSource(at: url), orientation, constraint, options)
  }
}
