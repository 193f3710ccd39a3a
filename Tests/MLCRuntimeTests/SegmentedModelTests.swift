import Foundation
import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCRuntime
import TestSupport
import Testing

/// Functions in segments, some of which run on a simulated device.
@Suite struct SegmentedModelTests {
  /// `y = tanh(x[i])`, looked up on the device and computed on the host.
  private func lookUp() throws -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, ["n"]))
    let i = builder.input("i", TensorType(.int32, ["k"]))
    let chosen = try builder.append(Gather(axis: 0), [[x], [i]], origin: Location(node: "LookUp_7", op: "Gather"))[0]
    return builder.finish([("y", try builder(Tanh(), chosen)), ("chosen", chosen)])
  }

  private static let lookUps = Placement { program, _ in
    program.steps.map { step in
      if case .kernel(let kernel) = step, kernel.family.contains("gather") { 1 } else { 0 }
    }
  }

  private func inputs(_ count: Int, _ indices: [Int]) -> [Tensor] {
    [Tensor([count], floats: (0..<count).map { Float($0) / 8 }), Tensor(.int32, [indices.count], indices)]
  }

  @Test func faultsOnADeviceNameTheNode() throws {
    let run = try PlacedRun(try lookUp(), Self.lookUps)
    let model = try run.load(isSeparate: true)
    #expect(run.segments == 2)
    let expected = Tensor([2], floats: [0.25, 0.5])
    #expect(try model.predict(inputs(5, [2, 4]))[1] == expected)
    do throws(Diagnostic) {
      _ = try model.predict(inputs(5, [2, 5]))
      Issue.record("an index outside of the tensor is no fault")
    } catch {
      #expect(error.id == "runtime.index" && error.location.node == "LookUp_7", "\(error)")
    }
    #expect(try model.predict(inputs(5, [2, 4]))[1] == expected)
    #expect(run.log.runs >= 3)
  }

  /// Sizes that change from run to run, empty ones too.
  @Test func memoryGrowsWithTheSizes() throws {
    let run = try PlacedRun(try lookUp(), Self.lookUps)
    for indices in [[0], [], [3, 3, 1, 0, 2], [1], (0..<3000).map { $0 % 7 }] {
      let arguments = inputs(7, indices)
      let result = try run.outputs([arguments])[0]
      #expect(result[1].floats == indices.map { Float($0) / 8 })
    }
  }

  @Test func manyThreadsShareAModel() throws {
    let model = try PlacedRun(try lookUp(), Self.lookUps).load(isSeparate: true)
    let failures = (0..<8).map { _ in FailureCount() }
    DispatchQueue.concurrentPerform(iterations: failures.count) { thread in
      for round in 0..<40 {
        let indices = (0...(thread + round) % 9).map { ($0 * 5 + thread) % 11 }
        let result = try? model.predict(inputs(11, indices))
        if result?[1].floats != indices.map({ Float($0) / 8 }) { failures[thread].add() }
      }
    }
    #expect(failures.allSatisfy { $0.count == 0 }, "\(failures.map { $0.count })")
  }

  @Test func stepsOfAllSegmentsAreProfiled() throws {
    let run = try PlacedRun(try lookUp(), Self.lookUps)
    var options = Model.Options()
    options.profiles = true
    let model = try run.load(isSeparate: true, options)
    _ = try model.predict(inputs(5000, Array(0..<5000)))
    let steps = model.profile
    #expect(steps.count >= 2 && steps.allSatisfy { $0.runs == 1 && $0.nanoseconds > 0 }, "\(steps)")
    #expect(steps[0].step.nodes.contains("LookUp_7"))
  }
}

private final class FailureCount: @unchecked Sendable {  // one thread adds to each
  private(set) var count = 0
  func add() { count += 1 }
}
