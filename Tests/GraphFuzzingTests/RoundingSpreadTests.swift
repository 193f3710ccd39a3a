import GraphFuzzing
import MLCCore
import MLCGraph
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
}
