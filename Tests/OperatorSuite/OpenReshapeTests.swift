import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// Reshapes that importers write when extents are known at run time only.
@Suite struct OpenReshapeTests {
  private static let (a, b, c, d): (Dim, Dim, Dim, Dim) = (.symbol("a"), .symbol("b"), .symbol("c"), .symbol("d"))

  /// From what, to what, the shape of another value that may be asked, and shapes that the model runs with.
  private static let cases: [(from: [Dim], to: [Dim], source: [Dim]?, x: [Int], other: [Int], result: [Int])] = [
    ([2, 3], [6], nil, [2, 3], [], [6]),
    ([0, 3], [3, 0, 2], nil, [0, 3], [], [3, 0, 2]),
    ([a, 3], [a, 1, 3], nil, [2, 3], [], [2, 1, 3]),
    ([a, b, 4], [a * b, 4], nil, [2, 3, 4], [], [6, 4]),
    ([a, b, c, d], [a * b, c * d], nil, [2, 3, 4, 5], [], [6, 20]),
    ([a, b, c, d], [a * b, c * d], nil, [2, 0, 4, 5], [], [0, 20]),
    ([1, a, b], [a, b, 1], nil, [1, 2, 3], [], [2, 3, 1]),
    ([1, a, b], [a, b, 1], nil, [1, 0, 3], [], [0, 3, 1]),
    ([a * b, 4], [a, b, 4], [a, b], [6, 4], [2, 3], [2, 3, 4]),
    ([a * b, c], [c, a, b], [b, a], [6, 4], [3, 2], [4, 2, 3]),
  ]

  @Test func extentsAreReadWhereTheyStand() throws {
    let device = try DeviceSet(["host"]).devices[0]
    for (from, to, source, x, other, result) in Self.cases {
      var building = PlainBuilder()
      let value = building.builder.input("x", TensorType(.float32, from))
      let sources = source.map { [building.builder.input("other", TensorType(.float32, $0))] } ?? []
      let reshaped = try building.reshape(value, to, sources: sources)
      let named = try building.builder(Identity(), reshaped)
      let function = building.builder.finish([("y", named)])
      try function.verify()
      let count = x.reduce(1, *)
      var inputs = [Tensor(x, floats: (0..<count).map { Float($0) })]
      if source != nil { inputs.append(Tensor(other, floats: [Float](repeating: 0, count: other.reduce(1, *)))) }
      for output in [
        try Interpreter(function).run(inputs)[0], try CompiledRunner(device).run(function, [inputs])[0][0],
      ] {
        #expect(output.shape == result, "\(from) to \(to)")
        #expect(output.doubles == (0..<count).map { Double($0) })
      }
    }
  }

  /// Reshapes by a size that the standard takes for a copy of the extent of `x` where it turns out to be 0: refused, as
  /// they would have another shape, and merged with no other.
  @Test(arguments: [0, 1]) func sizesOfZeroThatCopyAreRefused(_ axis: Int) throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Self.a, Self.b]))
    let other = builder.constant(Tensor(.int32, [1], [1 - axis]), name: "other")
    let size = try builder(Gather(axis: 0), try builder(Shape(), x), other)
    let rest = builder.constant(Tensor(.int32, [1], [-1]), name: "rest")
    let shape = try builder.append(Concat(axis: 0), [axis == 0 ? [size, rest] : [rest, size]])[0]
    let reshaped = try builder(Reshape(), x, shape)
    let wider = try builder(ExpandDims([1]), reshaped)
    let function = builder.finish([("y", try builder(Squeeze([1]), wider))])
    try function.verify()
    let runner = try CompiledRunner(DeviceSet(["host"]).devices[0])
    for x in [[2, 6], axis == 0 ? [0, 6] : [3, 0]] {
      let elements = (0..<x.reduce(1, *)).map { Float($0) }
      let expected = try Interpreter(function).run([Tensor(x, floats: elements)])[0]
      #expect(try runner.run(function, [[Tensor(x, floats: elements)]])[0][0] == expected)
    }
    let empty = Tensor(axis == 0 ? [3, 0] : [0, 6], floats: [])
    #expect(try Interpreter(function).run([empty])[0].shape == empty.shape)
    #expect { try runner.run(function, [[empty]]) } throws: { ($0 as? Diagnostic)?.id == "runtime.bind" }
  }

  @Test func extentsThatStandNowhereAreRefused() {
    var building = PlainBuilder()
    let x = building.builder.input("x", TensorType(.float32, [Self.a, Self.b]))
    #expect {
      try building.reshape(x, [Self.c, Self.d])
    } throws: { error in
      (error as? Diagnostic)?.id == "reshape.shape"
    }
  }
}
