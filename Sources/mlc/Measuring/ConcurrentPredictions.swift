import CMLCMeasure
import MLCCore
import MLCRuntime
import Synchronization

/// Predictions of one model, several at a time, each on a thread of its own.
final class ConcurrentPredictions: Sendable {
  struct Report {
    /// How many run at a time.
    var concurrency: Int
    /// Of each prediction.
    var milliseconds: [Double]
    /// From when the first began until the last ended.
    var wholeMilliseconds: Double

    var perSecond: Double { Double(milliseconds.count) / wholeMilliseconds * 1000 }
  }

  private struct State {
    var milliseconds: [Double] = []
    var first: ContinuousClock.Instant?, last: ContinuousClock.Instant?
    var problem: Diagnostic?
  }

  private let model: Model, inputs: [Tensor]
  private let concurrency: Int
  private let state = Mutex(State())

  init(_ model: Model, _ inputs: [Tensor], concurrency: Int) {
    (self.model, self.inputs, self.concurrency) = (model, inputs, concurrency)
  }

  /// Each thread makes `warmup` predictions that do not count, one at least, and then begins further ones for `time`,
  /// one at least. Throws what predictions throw, and `runtime.threads`.
  func run(warmup: Int, time: Duration) throws(Diagnostic) -> Report {
    try together { (predictions) throws(Diagnostic) in
      for _ in 0..<max(warmup, 1) { _ = try predictions.model.predict(predictions.inputs) }
    }
    try together { (predictions) throws(Diagnostic) in try predictions.predict(for: time) }
    return state.withLock { state in
      guard let first = state.first, let last = state.last else { preconditionFailure("every thread predicts") }
      return Report(
        concurrency: concurrency,
        milliseconds: state.milliseconds,
        wholeMilliseconds: (last - first).milliseconds
      )
    }
  }

  private func predict(for time: Duration) throws(Diagnostic) {
    let clock = ContinuousClock()
    let start = clock.now
    var (milliseconds, end): ([Double], ContinuousClock.Instant) = ([], start)
    repeat {
      _ = try model.predict(inputs)
      let now = clock.now
      milliseconds.append((now - end).milliseconds)
      end = now
    } while end - start < time
    state.withLock { state in
      state.milliseconds += milliseconds
      state.first = min(state.first ?? start, start)
      state.last = max(state.last ?? end, end)
    }
  }

  /// `body` on every thread, at once.
  private func together(_ body: @escaping (ConcurrentPredictions) throws(Diagnostic) -> Void) throws(Diagnostic) {
    var call = Call(predictions: self, body: body)
    let begun = withUnsafeMutablePointer(to: &call) { call in
      mlc_measure_together(
        { context, _ in
          context!.assumingMemoryBound(to: Call.self).pointee.run()
          return 1
        },
        call,
        Int32(concurrency)
      )
    }
    if let problem = state.withLock({ $0.problem }) { throw problem }
    guard Int(begun) == concurrency else {
      throw Diagnostic("runtime.threads", "cannot predict on \(concurrency) threads", kind: .environment)
    }
  }

  private struct Call {
    let predictions: ConcurrentPredictions
    let body: (ConcurrentPredictions) throws(Diagnostic) -> Void

    func run() {
      do throws(Diagnostic) { try body(predictions) } catch {
        predictions.state.withLock { $0.problem = error }
      }
    }
  }
}
