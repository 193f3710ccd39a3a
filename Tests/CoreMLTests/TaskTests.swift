import CoreML
import Foundation
import Testing

@Suite struct TaskTests {
  private final class Work: MLTask, @unchecked Sendable {  // its only test uses it from one thread
    var (begun, stopped) = (0, 0)
    override init() {}
    override func begin() { begun += 1 }
    override func stop() { stopped += 1 }
  }

  @Test func runOnceAndEndOnce() {
    let work = Work()
    #expect(work.state == .suspended && work.error == nil && work.taskIdentifier != Work().taskIdentifier)
    work.resume()
    work.resume()
    #expect(work.state == .running && work.begun == 1)
    work.cancel()
    #expect(work.state == .cancelling && work.stopped == 1)
    work.finish(MLModelError(.update))
    work.finish(nil)
    #expect(work.state == .failed && (work.error as? MLModelError)?.code == .update)
    work.resume()
    #expect(work.begun == 1)
  }

  @Test func mayBeCancelledBeforeTheyBegin() {
    let work = Work()
    work.cancel()
    #expect(work.state == .failed && work.error is CancellationError)
    work.resume()
    #expect(work.begun == 0)
    let other = Work()
    other.resume()
    other.finish(nil)
    #expect(other.state == .completed && other.error == nil)
  }

  @Test func parametersAreDescribed() throws {
    let range = MLNumericConstraint(minNumber: 0, maxNumber: 1)
    let rate = MLParameterDescription(key: .learningRate, defaultValue: 0.5, numericConstraint: range)
    let archive = try NSKeyedArchiver.archivedData(withRootObject: rate, requiringSecureCoding: true)
    let read = try #require(NSKeyedUnarchiver.unarchivedObject(ofClass: MLParameterDescription.self, from: archive))
    #expect(read.key == .learningRate && read.defaultValue as? Double == 0.5 && read.numericConstraint == range)
    #expect(read.description == "learningRate : 0.5 in 0...1")
    let sizes = MLNumericConstraint(minNumber: 1, maxNumber: 8, enumeratedNumbers: [8, 1, 4])
    #expect(sizes.description == "{1, 4, 8}" && sizes != range)
  }
}
