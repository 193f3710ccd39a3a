import CoreGraphics
import CoreVideo
import Foundation

/// What is known of a picture beside its pixels: nothing of it changes what requests find.
public struct VNImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let properties = VNImageOption(rawValue: "VNImageOptionProperties")
  public static let cameraIntrinsics = VNImageOption(rawValue: "VNImageOptionCameraIntrinsics")
  public static let ciContext = VNImageOption(rawValue: "VNImageOptionCIContext")
}

/// Performs requests on one picture.
public final class VNImageRequestHandler: NSObject {
  private let image: HandledImage

  private init(_ content: HandledImage.Content, _ orientation: CGImagePropertyOrientation?) {
    image = HandledImage(content: content, orientation: orientation)
  }

  public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:]) {
    self.init(.buffer(pixelBuffer), .up)
  }

  public convenience init(
    cvPixelBuffer pixelBuffer: CVPixelBuffer,
    orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) { self.init(.buffer(pixelBuffer), orientation) }

  public convenience init(cgImage image: CGImage, options: [VNImageOption: Any] = [:]) { self.init(.image(image), .up) }

  public convenience init(
    cgImage image: CGImage,
    orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) { self.init(.image(image), orientation) }

  /// The picture in a file, turned as the file says.
  public convenience init(url imageURL: URL, options: [VNImageOption: Any] = [:]) { self.init(.file(imageURL), nil) }

  public convenience init(
    url imageURL: URL,
    orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) { self.init(.file(imageURL), orientation) }

  /// The picture that a file of these bytes would hold, turned as they say.
  public convenience init(data imageData: Data, options: [VNImageOption: Any] = [:]) {
    self.init(.data(imageData), nil)
  }

  public convenience init(
    data imageData: Data,
    orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) { self.init(.data(imageData), orientation) }

  /// Performs the requests one after the other on the caller's thread; each calls its handler, also where it fails.
  ///
  /// Throws `VNError` of the first that fails, once all were performed.
  public func perform(_ requests: [VNRequest]) throws { try image.perform(requests) }
}

/// Performs requests on pictures that follow each other.
public final class VNSequenceRequestHandler: NSObject {
  public override init() {}

  private func perform(
    _ requests: [VNRequest],
    _ content: HandledImage.Content,
    _ orientation: CGImagePropertyOrientation?
  ) throws { try HandledImage(content: content, orientation: orientation).perform(requests) }

  public func perform(_ requests: [VNRequest], on pixelBuffer: CVPixelBuffer) throws {
    try perform(requests, .buffer(pixelBuffer), .up)
  }
  public func perform(
    _ requests: [VNRequest],
    on pixelBuffer: CVPixelBuffer,
    orientation: CGImagePropertyOrientation
  ) throws { try perform(requests, .buffer(pixelBuffer), orientation) }
  public func perform(_ requests: [VNRequest], on image: CGImage) throws { try perform(requests, .image(image), .up) }
  public func perform(_ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation) throws {
    try perform(requests, .image(image), orientation)
  }
  public func perform(_ requests: [VNRequest], onImageURL imageURL: URL) throws {
    try perform(requests, .file(imageURL), nil)
  }
  public func perform(
    _ requests: [VNRequest],
    onImageURL imageURL: URL,
    orientation: CGImagePropertyOrientation
  ) throws { try perform(requests, .file(imageURL), orientation) }
  public func perform(_ requests: [VNRequest], onImageData imageData: Data) throws {
    try perform(requests, .data(imageData), nil)
  }
  public func perform(
    _ requests: [VNRequest],
    onImageData imageData: Data,
    orientation: CGImagePropertyOrientation
  ) throws { try perform(requests, .data(imageData), orientation) }
}

extension HandledImage {
  fileprivate func perform(_ requests: [VNRequest]) throws {
    var first: (any Error)?
    for request in requests {
      do { try request.perform(self) } catch { first = first ?? error }
    }
    if let first { throw first }
  }
}
