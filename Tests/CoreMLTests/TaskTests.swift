import CoreML
import Foundation
import Synchronization
import Testing

@Suite struct TaskTests {
  /// How often a task began and was stopped.
  private final class Calls: Sendable {
    let begun = Mutex(0), stopped = Mutex(0)
    func task() -> MLTask {
      MLTask { _ in
        self.begun.withLock { $0 += 1 }
      } stop: { _ in
        self.stopped.withLock { $0 += 1 }
      }
    }
  }

  @Test func runOnceAndEndOnce() {
    let calls = Calls()
    let work = calls.task()
    #expect(work.state == .suspended && work.error == nil && work.taskIdentifier != calls.task().taskIdentifier)
    work.resume()
    work.resume()
    #expect(work.state == .running && calls.begun.withLock { $0 } == 1)
    work.cancel()
    work.cancel()
    #expect(work.state == .cancelling && calls.stopped.withLock { $0 } == 1)
    work.finish(MLModelError(.update))
    work.finish(nil)
    #expect(work.state == .failed && (work.error as? MLModelError)?.code == .update)
    work.resume()
    #expect(calls.begun.withLock { $0 } == 1)
  }

  @Test func mayBeCancelledBeforeTheyBegin() {
    let calls = Calls()
    let work = calls.task()
    work.cancel()
    #expect(work.state == .failed && work.error is CancellationError)
    work.resume()
    #expect(calls.begun.withLock { $0 } == 0)
    let other = MLTask { $0.finish(nil) }
    other.resume()
    #expect(other.state == .completed && other.error == nil)
  }

  @Test func parametersAreDescribed() throws {
    let range = MLNumericConstraint(minNumber: 0, maxNumber: 1)
    let rate = MLParameterDescription(key: .learningRate, defaultValue: 0.5, numericConstraint: range)
    let archive = try NSKeyedArchiver.archivedData(withRootObject: rate, requiringSecureCoding: true)
    let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: MLParameterDescription.self, from: archive)
    let read = try #require(object)
    #expect(read.key == .learningRate && read.defaultValue as? Double == 0.5 && read.numericConstraint == range)
    #expect(read.description == "learningRate : 0.5 in 0...1")
    let sizes = MLNumericConstraint(minNumber: 1, maxNumber: 8, enumeratedNumbers: [8, 1, 4])
    #expect(sizes.description == "{1, 4, 8}" && sizes != range)
  }
}
