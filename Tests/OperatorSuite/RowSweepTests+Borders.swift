import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

// Rows that fit in registers, rows with borders, and rows between which pictures are resized.

extension RowSweepTests {
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func shortRows(_ name: String) throws {
    var random = SeededGenerator(seed: 15)
    let items = (0..<60).map { number in
      let shape = [Int.random(in: 1...5, using: &random), Int.random(in: 1...140, using: &random)]
      let operators: [any Operator] = [
        Softmax(axis: 1), ReduceMax(axes: [1]), LogSoftmax(axis: 1), ReduceMin(axes: [1]), LayerNorm().along([1]),
        ReduceMean(axes: [1]),
      ]
      let op = operators[number % operators.count]
      let x = Self.numbers(shape, &random, finite: !(op is ReduceMax) && !(op is ReduceMin))
      return OperatorCase("row.\(number)", op, [[x]], expected: [nil])
    }
    try expectAgreement(name, items)
  }

  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func borders(_ name: String) throws {
    var random = SeededGenerator(seed: 16)
    let items = (0..<80).map { number in
      let rank = Int.random(in: 1...3, using: &random)
      let shape = (0..<rank).map { $0 == rank - 1 ? Self.length(&random) : Int.random(in: 1...6, using: &random) }
      let mode = ["constant", "reflect", "replicate", "wrap"][number % 4]
      let amounts = shape.flatMap { extent in
        (0..<2).map { _ in Int.random(in: extent > 2 ? -1...(number % 8 < 4 ? extent - 1 : 9) : 0...4, using: &random) }
      }
      let operands = [[Self.numbers(shape, &random, finite: false)], [Tensor(.int64, [2 * rank], amounts)]]
      return OperatorCase("border.\(number)", Pad(mode: mode), operands, expected: [nil], constants: ["pad"])
    }
    try expectAgreement(name, items)
  }

  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func pictures(_ name: String) throws {
    var random = SeededGenerator(seed: 17)
    let items = (0..<60).map { number in
      let shape =
        [1, Int.random(in: 1...3, using: &random)] + (0..<2).map { _ in Int.random(in: 1...40, using: &random) }
      let sizes = shape[2...].map { _ in Int.random(in: 1...50, using: &random) }
      var op = Resize()
      op.axes = [2, 3]
      op.mode = ["linear", "cubic", "nearest"][number % 3]
      let modes = ["half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"]
      op.coordinateMode = modes[number / 3 % modes.count]
      op.excludeOutside = op.mode == "cubic" && Bool.random(using: &random)
      let operands = [[Self.numbers(shape, &random, finite: true)], [Tensor.shape(sizes)], [], []]
      return OperatorCase("picture.\(number)", op, operands, expected: [nil], constants: ["sizes"])
    }
    try expectAgreement(name, items)
  }
}

extension LayerNorm {
  fileprivate func along(_ axes: [Int]) -> LayerNorm {
    var op = self
    op.axes = axes
    return op
  }
}
