import CoreGraphics
import CoreVideo
import Foundation

/// Performs requests on one picture, which is turned as `orientation` says; unless said otherwise, as its file says.
public final class ImageRequestHandler: Sendable {
  private let image: RequestImage

  private init(_ content: HandledImage.Content, _ orientation: CGImagePropertyOrientation?) {
    image = RequestImage(handled: HandledImage(content: content, orientation: orientation))
  }

  public convenience init(_ imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
    self.init(.file(imageURL), orientation)
  }
  public convenience init(_ imageData: Data, orientation: CGImagePropertyOrientation? = nil) {
    self.init(.data(imageData), orientation)
  }
  public convenience init(_ image: CGImage, orientation: CGImagePropertyOrientation? = nil) {
    self.init(.image(image), orientation)
  }
  /// Nobody writes to the buffer while the handler is there.
  public convenience init(_ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil) {
    self.init(.buffer(pixelBuffer), orientation)
  }

  /// What the request finds. Throws `VNError`, and `CancellationError` where the task is cancelled before.
  public func perform<T: VisionRequest>(_ request: T) async throws -> T.Result {
    try Task.checkCancellation()
    return try request.find(in: image)
  }

  /// What each request finds. Throws as one does, the first problem.
  public func perform<each T: VisionRequest>(_ request: repeat each T) async throws -> (repeat (each T).Result) {
    (repeat try await perform(each request))
  }

  /// What each request finds, as it is found; what goes wrong is a result too.
  public func performAll(_ requests: some Collection<any VisionRequest>) -> some AsyncSequence<VisionResult, Never> {
    let (all, image) = (Array(requests), image)
    return AsyncStream { continuation in
      let task = Task {
        for request in all where !Task.isCancelled { continuation.yield(request.outcome(image)) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension VisionRequest {
  fileprivate func outcome(_ image: RequestImage) -> VisionResult {
    do { return result(try find(in: image)) } catch { return .failure(descriptor, error) }
  }
}
