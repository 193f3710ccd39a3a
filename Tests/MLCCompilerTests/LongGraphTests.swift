import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import MLCPasses
import MLCTargetC
import TestSupport
import Testing

/// Graphs of many operations go through passes and lowering on a small stack: no walk is recursive in their length.
@Suite struct LongGraphTests {
  #if DEBUG
    private static let length = 2000
    /// Frames of code that is not optimised are large.
    private static let stackBytes = 3 << 19
  #else
    private static let length = 20_000
    /// The least that threads of other programs have.
    private static let stackBytes = 512 << 10
  #endif

  private static let graphs: [(name: String, make: @Sendable (inout Builder, ValueID) throws(Diagnostic) -> ValueID)] =
    [
      (
        "chain",
        { (builder, x) throws(Diagnostic) in
          var value = x
          for _ in 0..<length { value = try builder(Sigmoid(), value) }
          return value
        }
      ),
      (
        "constants",
        { (builder, x) throws(Diagnostic) in
          var value = x
          for number in 0..<length {
            let constant = builder.constant(.scalar(.float32, Double(number % 7) / 64))
            value = try number.isMultiple(of: 2) ? builder(Add(), value, constant) : builder(Maximum(), value, constant)
          }
          return value
        }
      ),
      (
        "readers",
        { (builder, x) throws(Diagnostic) in
          let shared = try builder(Sigmoid(), x)
          var parts: [ValueID] = []
          for number in 0..<length {
            parts.append(try builder(Add(), shared, builder.constant(.scalar(.float32, Double(number)))))
          }
          return try builder.append(Concat(axis: 0), [parts])[0]
        }
      ),
      (
        "steps",
        { (builder, x) throws(Diagnostic) in
          let weight = builder.constant(Tensor(.float32, [4, 4], [Double](repeating: 0.25, count: 16)))
          var value = try builder(Reshape(), x, builder.constant(.shape([1, 4])))
          for _ in 0..<length / 4 { value = try builder(Softmax(axis: -1), try builder(MatMul(), value, weight)) }
          return value
        }
      ),
    ]

  @Test func longGraphsNeedLittleStack() throws {
    for (name, make) in Self.graphs {
      let result = onSmallStack {
        var builder = Builder()
        let x = builder.input("x", TensorType(.float32, [4]))
        var function = builder.finish([("y", try make(&builder, x))])
        let input = Tensor([4], floats: [0.5, -1, 2, 0])
        let expected = try Interpreter(function).run([input])
        var options = PassOptions()
        options.verifies = false
        try PassPipeline.standard.run(&function, options: options)
        let actual = try Interpreter(function).run([input])
        let program = try KernelProgram.optimized(function, for: CTarget.v3)
        let comparison = try Comparison(
          expected: expected[0],
          actual: actual[0],
          tolerance: Tolerance(relative: 1e-3, absolute: 1e-5)
        )
        return comparison.passed && !program.steps.isEmpty
      }
      switch result {
      case .success(let agrees): #expect(agrees, "\(name)")
      case .failure(let error): Issue.record("\(name): \(error)")
      }
    }
  }

  /// What `body` gives on a thread with a small stack.
  private func onSmallStack(_ body: @escaping @Sendable () throws -> Bool) -> Result<Bool, any Error> {
    let box = ResultBox()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.result = Result(catching: body)
      done.signal()
    }
    thread.stackSize = Self.stackBytes
    thread.start()
    done.wait()
    return box.result
  }
}

/// `@unchecked Sendable`: written by one thread before the semaphore lets the other read.
private final class ResultBox: @unchecked Sendable {  // the semaphore orders its uses
  var result: Result<Bool, any Error> = .success(false)
}
