import Foundation
import Synchronization

/// Called when a request is done, with what went wrong if it did.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// What is asked of a picture. A request may be performed again, on one thread at a time.
open class VNRequest: NSObject, NSCopying {
  public let completionHandler: VNRequestCompletionHandler?
  /// What was found; `nil` before the request was performed, and where it failed.
  open internal(set) var results: [VNObservation]?
  /// Without effect.
  open var preferBackgroundProcessing = false
  /// Without effect: everything runs on the processor.
  open var usesCPUOnly = false
  open var revision = 1
  var devices = StageDevices<VNComputeStage>()
  private let cancelled = Atomic<Bool>(false)

  public init(completionHandler: VNRequestCompletionHandler? = nil) { self.completionHandler = completionHandler }

  open class var supportedRevisions: IndexSet { [1] }
  open class var defaultRevision: Int { 1 }
  open class var currentRevision: Int { 1 }

  /// Ends the request with `VNErrorCode.requestCancelled` before its next step.
  open func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// A request like this one, without results.
  public func copy(with zone: NSZone? = nil) -> Any { copied() }

  func copied() -> VNRequest { VNRequest(completionHandler: completionHandler) }

  /// What is found in a picture.
  func observations(_ image: HandledImage) throws -> [VNObservation] {
    throw VNError(.unsupportedRequest, "a request of the class \(type(of: self)) asks for nothing")
  }

  /// Finds it and calls the handler. Throws `VNError`.
  final func perform(_ image: HandledImage) throws {
    results = nil
    do {
      guard type(of: self).supportedRevisions.contains(revision) else {
        throw VNError(.unsupportedRevision, "there is no revision \(revision) of \(type(of: self))")
      }
      try checkCancellation()
      let found = try observations(image)
      try checkCancellation()
      results = found
    } catch {
      let problem = VNError(error)
      completionHandler?(self, problem)
      throw problem
    }
    completionHandler?(self, nil)
  }

  private func checkCancellation() throws {
    if cancelled.exchange(false, ordering: .relaxed) { throw VNError(.requestCancelled, "the request was cancelled") }
  }
}

/// What is asked of a part of a picture.
open class VNImageBasedRequest: VNRequest {
  /// The part, in fractions of the picture as it is shown, rows counted upwards.
  open var regionOfInterest = VNNormalizedIdentityRect
}
