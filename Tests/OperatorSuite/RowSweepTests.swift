import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// What runs along rows, drawn: windows of any size, stride, dilation and padding over rows of any length, sums by any
/// axis, and indices that divide a row.
@Suite(.serialized) struct RowSweepTests {
  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func windows(_ name: String) throws {
    var items: [OperatorCase] = []
    var random = SeededGenerator(seed: 11)
    while items.count < 90 { if let item = Self.window(items.count, &random) { items.append(item) } }
    try expectAgreement(name, items)
  }

  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func sums(_ name: String) throws {
    var random = SeededGenerator(seed: 12)
    let items = (0..<24).map { number in
      let shape = [Int.random(in: 1...5, using: &random), .random(in: 1...9, using: &random), Self.length(&random)]
      var op = Cumsum()
      op.axis = Int.random(in: 0...2, using: &random)
      op.exclusive = Bool.random(using: &random)
      op.reverse = Bool.random(using: &random)
      return OperatorCase("cumsum.\(number)", op, [[Self.numbers(shape, &random, finite: true)]], expected: [nil])
    }
    try expectAgreement(name, items)
  }

  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func places(_ name: String) throws {
    var random = SeededGenerator(seed: 14)
    let items = (0..<24).map { number in
      let shape = [Int.random(in: 1...5, using: &random), .random(in: 1...9, using: &random), Self.length(&random)]
      func configured<Reduction: ArgReduction>(_ op: Reduction) -> Reduction {
        var op = op
        (op.axis, op.selectLastIndex) = (Int.random(in: 0...2, using: &random), Bool.random(using: &random))
        return op
      }
      let op: any Operator = number % 2 == 0 ? configured(ReduceArgmax()) : configured(ReduceArgmin())
      // Few different numbers: the first of equal ones is meant.
      let x = Self.numbers(shape, &random, finite: false)
      let steps = Tensor(shape, floats: x.floats.map { $0.isFinite ? ($0 * 2).rounded() : $0 })
      return OperatorCase("places.\(number)", op, [[steps]], expected: [nil])
    }
    try expectAgreement(name, items)
  }

  @Test(arguments: ["x86-64-v2", "x86-64-v3", "x86-64-v4"]) func repetitions(_ name: String) throws {
    var random = SeededGenerator(seed: 13)
    let items = (0..<24).map { number in
      let shape = [Int.random(in: 1...3, using: &random), .random(in: 1...90, using: &random)]
      let reps = Tensor(.int64, [2], shape.map { _ in Int.random(in: 1...4, using: &random) })
      let operands = [[Self.numbers(shape, &random, finite: false)], [reps]]
      return OperatorCase("tile.\(number)", Tile(), operands, expected: [nil], constants: ["reps"])
    }
    try expectAgreement(name, items)
  }

  /// `nil` where what is drawn is refused.
  private static func window(_ number: Int, _ random: inout SeededGenerator) -> OperatorCase? {
    let rank = Int.random(in: 1...3, using: &random)
    var shape = [1, Int.random(in: 1...3, using: &random)]
    for axis in 0..<rank { shape.append(axis == rank - 1 ? length(&random) : Int.random(in: 1...11, using: &random)) }
    func each(_ range: ClosedRange<Int>, _ random: inout SeededGenerator) -> [Int] {
      (0..<rank).map { _ in Int.random(in: range, using: &random) }
    }
    func configure(_ pool: inout some Pooling) {
      pool.kernelSizes = each(1...(number % 5 == 0 ? 13 : 4), &random)
      pool.strides = each(1...3, &random)
      pool.dilations = each(1...2, &random)
      pool.pad = pool.kernelSizes.flatMap { kernel in
        (0..<2).map { _ in Int.random(in: 0...kernel / 2, using: &random) }
      }
      pool.ceilMode = Bool.random(using: &random)
    }
    let label = "window.\(number)"
    if number % 3 > 0 {
      var pool = MaxPool()
      configure(&pool)
      let x = numbers(shape, &random, finite: false)
      let item = OperatorCase(label, pool, [[x]], expected: [nil])
      return (try? PlayedCase(item).expected()) == nil ? nil : item
    }
    var pool = AvgPool()
    configure(&pool)
    pool.excludePaddingFromAverage = Bool.random(using: &random)
    let item = OperatorCase(label, pool, [[numbers(shape, &random, finite: true)]], expected: [nil])
    return (try? PlayedCase(item).expected()) == nil ? nil : item
  }

  /// Short ones, and one in six longer than any buffer.
  static func length(_ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<6, using: &random) == 0
      ? Int.random(in: 2000...5000, using: &random) : Int.random(in: 1...70, using: &random)
  }

  /// One in fifty is NaN or infinite unless all are `finite`.
  static func numbers(_ shape: [Int], _ random: inout SeededGenerator, finite: Bool) -> Tensor {
    let values = (0..<shape.reduce(1, *)).map { _ -> Float in
      let odd = [Float.nan, .infinity, -.infinity].randomElement(using: &random)!
      let number = Float(random.normal())
      return !finite && Int.random(in: 0..<50, using: &random) == 0 ? odd : number
    }
    return Tensor(shape, floats: values)
  }
}
