import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// Functions that a single case cannot hold, as generated code of this CPU's device.
@Suite struct CompiledFunctionTests {
  private func expectAgreement(_ function: Function, _ inputs: [Tensor]) throws {
    let device = try DeviceSet(["host"]).devices[0]
    let expected = try Interpreter(function).run(inputs)
    let results = try CompiledRunner(device).run(function, [inputs])[0]
    for (result, reference) in zip(results, expected) {
      #expect(disagreement(result, reference, rtol: 1e-4, atol: 1e-5) == nil)
    }
  }

  /// Branches of different extents, whose result is read by another operation.
  @Test(arguments: [0, 1]) func conditional(_ choice: Int) throws {
    var builder = Builder()
    let pred = builder.input("pred", TensorType(.bool, [Dim]()))
    let x = builder.input("x", TensorType(.float32, ["n"]))
    _ = builder.beginBlock()
    let yes = builder.endBlock(yielding: [try builder(Add(), x, x), x])
    _ = builder.beginBlock()
    let twice = try builder.append(Concat(axis: 0), [[x, x]])[0]
    let no = builder.endBlock(yielding: [twice, builder.constant(Tensor([1], floats: [7]))])
    let outputs = try builder.append(Cond(), [[pred]], names: ["y", "z"], blocks: [yes, no])
    let negated = try builder(Neg(), outputs[0])
    let function = builder.finish([("y", negated), ("z", outputs[1])])
    try expectAgreement(function, [Tensor(.bool, [], [choice]), Tensor([3], floats: [1, 2, 5])])
  }

  /// A size that data decides, used by the operations after it.
  @Test func positionsOfNonZeros() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, ["h", 3]))
    let found = try builder(NonZero(), x)
    let negated = try builder(Neg(), found)
    let function = builder.finish([("found", found), ("negated", negated)])
    try expectAgreement(function, [Tensor([2, 3], floats: [0, 1, 0, 2, 0, -3])])
    try expectAgreement(function, [Tensor([1, 3], floats: [0, 0, 0])])
  }

  /// A mask of pixels, one truth value for all channels, chooses between a convolution and a number.
  @Test func maskedConvolution() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, 4, 5, 6]))
    let mask = builder.input("mask", TensorType(.bool, [1, 1, 5, 6]))
    let weight = builder.constant(Tensor([24, 4, 3, 3], floats: (0..<864).map { Float($0 % 7) / 8 - 0.375 }))
    let conv = try builder(Conv().setting(\.padType, "same"), x, weight)
    let y = try builder(Select(), mask, conv, builder.constant(Tensor([], floats: [-4])))
    let data = Tensor([1, 4, 5, 6], floats: (0..<120).map { Float($0 % 11) - 5 })
    let truths = Tensor(.bool, [1, 1, 5, 6], (0..<30).map { $0 % 3 == 0 ? 1 : 0 })
    try expectAgreement(builder.finish([("y", y)]), [data, truths])
  }

  /// Bounds of a slice that data decides.
  @Test(arguments: [[1, 3], [-2, 9], [4, 1]]) func slice(_ bounds: [Int]) throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, ["n", 2]))
    let begin = builder.input("begin", TensorType(.int32, [2]))
    let end = builder.input("end", TensorType(.int32, [2]))
    let part = try builder.append(SliceByIndex(), [[x], [begin], [end], []])[0]
    let function = builder.finish([("y", try builder(Neg(), part))])
    let data = Tensor([5, 2], floats: (0..<10).map { Float($0) })
    let inputs = [data, Tensor(.int32, [2], [bounds[0], 0]), Tensor(.int32, [2], [bounds[1], 2])]
    try expectAgreement(function, inputs)
  }

  /// The packed routines, which want constant weights.
  @Test(arguments: ["forward", "reverse", "bidirectional"]) func packedRecurrence(_ direction: String) throws {
    let (steps, batch, size, hidden) = (5, 2, 3, 17)
    func values(_ shape: [Int], _ seed: Int) -> Tensor {
      Tensor(shape, floats: (0..<shape.reduce(1, *)).map { Float(($0 * 37 + seed) % 101) / 120 - 0.4 })
    }
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Dim("s"), Dim(batch), Dim(size)]))
    func weights(_ gates: Int, _ seed: Int) -> [[ValueID]] {
      [[gates * hidden, size], [gates * hidden, hidden], [gates * hidden]].enumerated().map {
        [builder.constant(values($1, seed + $0))]
      }
    }
    let directions = direction == "bidirectional" ? 2 : 1
    let start = builder.constant(values([batch, directions * hidden], 3))
    let back = directions == 2
    var lstm = LSTM()
    (lstm.direction, lstm.outputSequence) = (direction, true)
    let first = weights(4, 1)
    let second = back ? weights(4, 9) : [[], [], []]
    let long = try builder.append(lstm, [[x], [start], [start]] + first + [[]] + second + [[], []])
    var outputs = long
    for isAfter in [false, true] {
      var gru = GRU()
      (gru.direction, gru.resetAfter) = (direction, isAfter)
      let first = weights(3, 5)
      let second = back ? weights(3, 7) : [[], [], []]
      let bias = isAfter ? [builder.constant(values([hidden], 2))] : []
      outputs += try builder.append(gru, [[x], []] + first + [bias] + second + [back ? bias : [], []])
    }
    let function = builder.finish(outputs.enumerated().map { ("y\($0.offset)", $0.element) })
    try expectAgreement(function, [values([steps, batch, size], 11)])
  }
}
