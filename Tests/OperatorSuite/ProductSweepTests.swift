import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// Products of matrices, drawn: of any type, of few rows and of many, turned or not, by constants or not, in batches.
@Suite(.serialized) struct ProductSweepTests {
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func products(_ name: String) throws {
    var random = SeededGenerator(seed: 31)
    try expectAgreement(name, (0..<60).map { Self.product($0, &random) })
  }

  private static func product(_ number: Int, _ random: inout SeededGenerator) -> OperatorCase {
    let dtype = [DType.float32, .float64, .int32, .int64, .float16, .float32][number % 6]
    let m = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : .random(in: 5...40, using: &random)
    let (k, n) = (Int.random(in: 1...90, using: &random), Int.random(in: 1...150, using: &random))
    let batch = Int.random(in: 0..<3, using: &random) == 0 ? [Int.random(in: 2...3, using: &random)] : []
    var op = MatMul()
    (op.transposeX, op.transposeY) = (Int.random(in: 0..<4, using: &random) == 0, Bool.random(using: &random))
    let x = tensor(dtype, batch + (op.transposeX ? [k, m] : [m, k]), &random)
    let y = tensor(dtype, batch + (op.transposeY ? [n, k] : [k, n]), &random)
    let constants: Set<String> = Bool.random(using: &random) ? ["y"] : []
    return OperatorCase("product.\(number)", op, [[x], [y]], expected: [nil], constants: constants)
  }

  private static func tensor(_ dtype: DType, _ shape: [Int], _ random: inout SeededGenerator) -> Tensor {
    let count = shape.reduce(1, *)
    if dtype.isInteger {
      return Tensor(dtype, shape, (0..<count).map { _ in Int.random(in: -1000...1000, using: &random) })
    }
    return Tensor(dtype, shape, (0..<count).map { _ in Double(random.normal()) })
  }
}
