import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import Testing

@Suite struct RoundingSpreadTests {
  /// Of `body` applied to an input of `numbers`, in units of 2⁻²³.
  private func spread(
    _ numbers: [Float],
    _ body: (inout Builder, ValueID) throws(Diagnostic) -> ValueID
  ) throws -> [Double] {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Dim(numbers.count)]))
    let function = builder.finish([("y", try body(&builder, x))])
    let input = Tensor([numbers.count], floats: numbers)
    let expected = try Interpreter(function).run([input])
    return RoundingSpread(function, [input], around: expected).outputs[0].map { $0 * 0x1p23 }
  }

  @Test func cancellationShows() throws {
    let plain = try spread([1, 2, 4]) { (builder, x) throws(Diagnostic) in try builder(ReduceSum(axes: [0]), x) }[0]
    #expect((0.1...30).contains(plain), "\(plain)")
    let cancelled = try spread([4096, -4096, 1]) { (builder, x) throws(Diagnostic) in
      try builder(ReduceSum(axes: [0]), x)
    }[0]
    #expect((100...20_000).contains(cancelled), "\(cancelled)")
  }

  /// What the steps of a jump give stays, whatever is near it.
  @Test func jumpsDoNot() throws {
    let rounded = try spread([0.5, 1.5, 3]) { (builder, x) throws(Diagnostic) in
      let floor = try builder(Floor(), try builder(Add(), x, x))
      return try builder(ReduceSum(axes: [0]), floor)
    }[0]
    #expect(rounded < 60, "\(rounded)")
  }

  /// `gelu(x · y)` of halves.
  static func product(_ x: Float, _ y: Float) throws -> (function: Function, inputs: [Tensor]) {
    var builder = Builder()
    let a = builder.input("x", TensorType(.float16, [1]))
    let b = builder.input("y", TensorType(.float16, [1]))
    let function = builder.finish([("z", try builder(Gelu(), try builder(Mul(), a, b)))])
    return (function, [x, y].map { Tensor([1], floats: [$0]).converted(to: .float16) })
  }

  @Test func halvesThatAreTooLargeShow() throws {
    let cases: [(Float, Float, Bool)] = [(-300, 300, true), (-2, 2, false), (.infinity, 2, true)]
    for (x, y, overflows) in cases {
      let (function, inputs) = try Self.product(x, y)
      let expected = try Interpreter(function).run(inputs)
      #expect(RoundingSpread(function, inputs, around: expected).overflows == overflows)
    }
    // What is only moved was not computed.
    var builder = Builder()
    let x = builder.input("x", TensorType(.float16, [1]))
    let function = builder.finish([("y", try builder(Neg(), x))])
    let inputs = [Tensor([1], floats: [.infinity]).converted(to: .float16)]
    let expected = try Interpreter(function).run(inputs)
    #expect(!RoundingSpread(function, inputs, around: expected).overflows)
  }

  /// The reference's −∞ is −90000 to code, which rounds what it stores alone: no number there, and 0 here.
  @Test func codeMayHaveWhatIsTooLargeForHalves() throws {
    let (function, inputs) = try Self.product(-300, 300)
    #expect(try Interpreter(function).run(inputs)[0].doubles[0].isNaN)
    let judge = GraphJudge(try HostRunner())
    for device in DeviceSet.here {
      guard case .agrees = judge.verdict(GraphCase("product", function, [inputs]), on: device) else {
        Issue.record("\(device.name) does not agree")
        continue
      }
    }
  }
}
