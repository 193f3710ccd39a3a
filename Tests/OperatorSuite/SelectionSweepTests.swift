import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// What data decides, drawn: many equal elements, NaN, both zeros, more candidates than a task has room for.
@Suite(.serialized) struct SelectionSweepTests {
  @Test(arguments: ["x86-64-v2", "x86-64-v4"]) func first(_ name: String) throws {
    var random = SeededGenerator(seed: 41)
    try expectAgreement(name, (0..<18).map { Self.first($0, &random) })
  }

  @Test(arguments: ["x86-64-v2", "x86-64-v4"]) func boxes(_ name: String) throws {
    var random = SeededGenerator(seed: 42)
    try expectAgreement(name, (0..<12).map { Self.boxes($0, &random) })
  }

  private static func first(_ number: Int, _ random: inout SeededGenerator) -> OperatorCase {
    let dtypes: [DType] = [.float32, .float64, .int32, .int64, .float16, .uint8, .uint64, .uint32, .int8]
    let dtype = dtypes[number % dtypes.count]
    let length = number % 3 == 0 ? Int.random(in: 500...1500, using: &random) : .random(in: 1...90, using: &random)
    let isLast = number % 4 != 0
    let shape = isLast ? [Int.random(in: 1...20, using: &random), length] : [length, 3]
    let count = Int.random(in: 0...3, using: &random) == 0 ? length : .random(in: 0...min(length, 50), using: &random)
    var op = TopK()
    (op.axis, op.ascending) = (isLast ? 1 : 0, Bool.random(using: &random))
    op.indicesDType = Bool.random(using: &random) ? .int64 : .int32
    let range = Bool.random(using: &random) ? 4 : 1 << 20
    let constants: Set<String> = Bool.random(using: &random) ? ["k"] : []
    let k = Tensor(.int64, [1], [count])
    return OperatorCase(
      "topk.\(number) of \(dtype)",
      op,
      [[elements(dtype, shape, range, &random)], [k]],
      expected: [nil, nil],
      constants: constants
    )
  }

  private static func elements(_ dtype: DType, _ shape: [Int], _ range: Int, _ random: inout SeededGenerator) -> Tensor
  {
    let count = shape.reduce(1, *)
    if dtype.isInteger {
      let least = dtype.isSigned ? -range : 0
      return Tensor(dtype, shape, (0..<count).map { _ in Int.random(in: least...range, using: &random) })
    }
    let special: [Double] = [.nan, 0, -0.0, .infinity, -.infinity]
    return Tensor(
      dtype,
      shape,
      (0..<count).map { _ in
        let number = Int.random(in: -range...range, using: &random)
        return number % 11 == 0 ? special[abs(number) % 5] : Double(number) / 4
      }
    )
  }

  private static func boxes(_ number: Int, _ random: inout SeededGenerator) -> OperatorCase {
    let dtype = [DType.float32, .float16, .float32, .bfloat16][number % 4]
    let (batches, classes) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...9, using: &random))
    let count = number % 5 == 0 ? Int.random(in: 0...3, using: &random) : .random(in: 20...90, using: &random)
    let sides = Tensor(
      dtype,
      [batches, count, 4],
      (0..<batches * count * 4).map { _ in
        let side = Int.random(in: 0...12, using: &random)
        return side == 12 && Int.random(in: 0...9, using: &random) == 0 ? .nan : Double(side)
      }
    )
    let scores = elements(dtype, [batches, classes, count], 40, &random)
    let share = Tensor(dtype, [], [[0.0, 0.25, 0.5, 0.7][number / 4 % 4]])
    let least = number % 3 == 0 ? [] : [Tensor(dtype, [], [number % 2 == 0 ? share.doubles[0] : -3.25])]
    let most = Tensor(.int64, [], [[0, 2, 20, 1 << 40, -1][number % 5]])
    let constants: Set<String> = number % 2 == 0 ? ["max_boxes", "iou_threshold", "score_threshold"] : []
    return OperatorCase(
      "non_max_suppression.\(number) of \(dtype)",
      NonMaxSuppression(isCentred: number % 3 == 1),
      [[sides], [scores], [most], [share], least],
      expected: [nil],
      constants: least.isEmpty ? constants.subtracting(["score_threshold"]) : constants
    )
  }
}
