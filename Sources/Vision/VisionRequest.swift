import CoreGraphics
import CoreVideo
import Foundation

/// Which request it is, and its revision.
public enum RequestDescriptor: Codable, Hashable, Sendable {
  case coreMLRequest(CoreMLRequest.Revision)
}

/// What is asked of a picture, as a value.
public protocol VisionRequest: CustomStringConvertible, Hashable, Sendable {
  associatedtype Result: Sendable
  var descriptor: RequestDescriptor { get }
  /// What the request found, for who asks for several at once.
  func result(_ found: Result) -> VisionResult
  /// Finds it in a picture. Throws `VNError`.
  func find(in image: RequestImage) throws -> Result
  /// The device that was chosen for a stage, if one was.
  func computeDevice(for computeStage: ComputeStage) -> MLComputeDevice?
  /// Chooses a device for a stage, or with `nil` none. The processor runs whatever is chosen; `MLC_LOG` says so of
  /// other devices.
  mutating func setComputeDevice(_ computeDevice: MLComputeDevice?, for computeStage: ComputeStage)
}

extension VisionRequest {
  /// The devices that each stage can run on: the processor.
  public var supportedComputeStageDevices: [ComputeStage: [MLComputeDevice]] {
    [.main: MLComputeDevice.allComputeDevices]
  }
}

/// What is asked of a part of a picture.
public protocol ImageProcessingRequest: VisionRequest {
  /// The part, in fractions of the picture as it is shown, rows counted upwards.
  var regionOfInterest: NormalizedRect { get set }
}

/// What a request found, or why it did not.
public enum VisionResult: Sendable {
  case coreML(CoreMLRequest, [any VisionObservation])
  case failure(RequestDescriptor, any Error)
}

/// A picture, as requests take it.
public struct RequestImage: @unchecked Sendable {  // only read
  let handled: HandledImage
}

extension ImageProcessingRequest {
  private func perform(_ content: HandledImage.Content, _ orientation: CGImagePropertyOrientation?) async throws
    -> Result
  {
    try Task.checkCancellation()
    return try find(in: RequestImage(handled: HandledImage(content: content, orientation: orientation)))
  }

  // What is found in a picture, which is turned as `orientation` says; unless said otherwise, as its file says. Throws
  // `VNError`, and `CancellationError` where the task is cancelled before.

  public func perform(on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil) async throws
    -> Result
  { try await perform(.buffer(pixelBuffer), orientation) }
  public func perform(on image: CGImage, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
    try await perform(.image(image), orientation)
  }
  public func perform(on imageData: Data, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
    try await perform(.data(imageData), orientation)
  }
  public func perform(on imageURL: URL, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
    try await perform(.file(imageURL), orientation)
  }
}
