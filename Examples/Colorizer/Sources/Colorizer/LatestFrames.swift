import Synchronization

/// Frames from a camera, for someone who may be slower than the camera is.
///
/// One frame waits at most. One that still waits when the next arrives comes too late, and is dropped: what is shown
/// stays near what happens, and in order.
final class LatestFrames<Frame: Sendable>: Sendable {
  /// For one reader. Ends after `finish` with the frame that waits.
  let frames: AsyncStream<Frame>
  private let continuation: AsyncStream<Frame>.Continuation
  private let late = Mutex(0)

  init() { (frames, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// How many were dropped.
  var dropped: Int { late.withLock { $0 } }

  func show(_ frame: Frame) {
    if case .dropped = continuation.yield(frame) { late.withLock { $0 += 1 } }
  }

  func finish() { continuation.finish() }
}
