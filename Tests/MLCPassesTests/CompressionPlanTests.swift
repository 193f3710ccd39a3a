import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// Which weights a plan reaches, and that other passes leave them right.
@Suite struct CompressionPlanTests {
  private let eight = CompressionStep.palettize(.init(bits: 8))
  private let two = CompressionStep.palettize(.init(bits: 2))

  private func form(_ rules: CompressionRules, _ change: (inout CompressionPlan) -> Void = { _ in }) throws
    -> CompressionReport.Weight
  {
    var plan = CompressionPlan([rules])
    change(&plan)
    var function = try layer(weights([32, 64]))
    return try compressed(&function, plan).0.weights[0]
  }

  @Test func namesGoBeforeTypesBeforeTheRest() throws {
    var rules = CompressionRules(all: .init(eight))
    #expect(try form(rules).form == "8-bit palette")
    rules.byOperator["linear"] = .init(two)
    #expect(try form(rules).form == "2-bit palette")
    rules.byName["/fc"] = .init(eight)
    #expect(try form(rules).form == "8-bit palette")
    rules.byName["w"] = .init(nil)
    #expect(try form(rules).reason == "no rule for it")
    rules.byOperator = ["conv": .init(two)]
    rules.byName = [:]
    #expect(try form(rules).form == "8-bit palette")
  }

  @Test func sizesAndPatternsLeaveAlone() throws {
    let rules = CompressionRules(all: .init(eight))
    #expect(try form(rules) { $0.minimumElements = 2048 }.form != nil)
    #expect(try form(rules) { $0.minimumElements = 2049 }.reason == "fewer than 2049 elements")
    for pattern in ["w", "/f*", "lin?ar", "*"] {
      #expect(try form(rules) { $0.skip = [pattern] }.form == nil, "\(pattern)")
    }
    for pattern in ["W", "fc", "w?", "conv*"] {
      #expect(try form(rules) { $0.skip = [pattern] }.form != nil, "\(pattern)")
    }
    let strict = CompressionRules(all: .init(eight, minimumElements: 3000))
    #expect(try form(strict) { $0.minimumElements = 0 }.form == nil)
  }

  @Test func globs() {
    for (text, pattern, fits) in [
      ("abc", "abc", true), ("abc", "a*", true), ("abc", "*c", true), ("abc", "a*b*c", true), ("abc", "a?c", true),
      ("abc", "", false), ("", "*", true), ("abcabd", "*ab?", true), ("abc", "b*", false), ("aaa", "*a*a*a*a", false),
    ] { #expect(text.matches(pattern) == fits, "\(text) \(pattern)") }
  }

  /// A convolution, a product of matrices from either side, a table and a recurrent layer; biases are no weights.
  @Test func findsWeights() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, 16, 8, 8]))
    let kernel = builder.constant(weights([16, 16, 3, 3]), name: "kernel")
    let bias = builder.constant(weights([4096]), name: "bias")
    let y = try builder(Conv(), x, kernel, builder.constant(weights([16]), name: "b"))
    let a = builder.input("a", TensorType(.float32, [2, 64]))
    let left = builder.constant(weights([64, 64]), name: "right")
    let table = builder.constant(weights([512, 8]), name: "table")
    let z = try builder(MatMul(), a, left)
    let picked = try builder(Gather(axis: 0), table, builder.input("i", TensorType(.int64, [3])))
    let sum = try builder(Add(), builder.input("c", TensorType(.float32, [4096])), bias)
    var function = builder.finish([("y", y), ("z", z), ("p", picked), ("s", sum)])
    var options = LinearQuantization(.int8)
    options.granularity = .channel
    let report = try CompressWeights(CompressionPlan([.quantize(options)])).compress(&function)
    try function.verify()
    #expect(report.compressed.map(\.name) == ["kernel", "right", "table"])
    // Output channels: the first axis of a kernel, the last of a right operand.
    let scales = function.body.operations.filter { $0.isConstantExpression }.compactMap { $0.argument("scale") }
    #expect(scales.map { function.type($0).staticShape ?? [] } == [[16, 1, 1, 1], [1, 64], [512, 1]])
  }

  /// float16 reaches the tables of compressed weights.
  @Test func halvesOfCompressedWeights() throws {
    var half = try function(
      "%x: fp32[1, 2, 3, 3]",
      "y",
      """
      %i = const {val = uint4[4, 2, 1, 1](1, 2, 3, 4, 5, 6, 7, 8)}
      %t = const {val = fp32[1, 1, 1, 1, 16, 1](0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)}
      %w = constexpr_lut_to_dense(indices = %i, lut = %t)
      %y = conv(x = %x, weight = %w)
      """
    )
    try PassPipeline([CastToFp16()]).run(&half)
    try half.verify()
    let weight = try #require(half.body.operations.first { $0.name == "conv" }?.argument("weight"))
    #expect(half.type(weight).dtype == .float16 && half.fact(weight).isConstant)
  }
}
