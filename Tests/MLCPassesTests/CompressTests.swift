import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// A function `y = linear(x, w)` over this weight, whose name is `w` and whose node is `/fc`.
func layer(_ weight: Tensor) throws -> Function {
  var builder = Builder()
  let x = builder.input("x", TensorType(weight.dtype, [2, weight.shape[1]]))
  let w = builder.constant(weight, name: "w")
  let y = try builder(Linear(), x, w, nil, name: "y", origin: Location(node: "/fc", op: "Gemm"))
  return builder.finish([("y", y)])
}

/// Numbers that look like weights, the same for the same seed.
func weights(_ shape: [Int], seed: UInt64 = 7) -> Tensor {
  var state = seed
  func uniform() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(state >> 40) / Float(1 << 24) - 0.5
  }
  return Tensor(shape, floats: (0..<shape.reduce(1, *)).map { _ in uniform() + uniform() + uniform() })
}

/// Compresses `function`, whose inputs and outputs must stay, and gives what `w` stands for.
@discardableResult
func compressed(_ function: inout Function, _ plan: CompressionPlan) throws -> (CompressionReport, Tensor?) {
  let before = function
  let report = try CompressWeights(plan).compress(&function)
  try function.verify()
  #expect(function.inputs == before.inputs && function.outputs == before.outputs)
  guard let weight = function.values.firstIndex(where: { $0.name == "w" }) else { return (report, nil) }
  var part = function
  (part.inputs, part.outputNames, part.body.outputs) = ([], ["w"], [ValueID(weight)])
  part.body.operations = function.body.operations.filter { $0.op is Const || $0.isConstantExpression }
  return (report, try Interpreter(part).run([])[0])
}

private func plan(_ steps: CompressionStep...) -> CompressionPlan {
  var plan = CompressionPlan(steps)
  plan.minimumElements = 0
  return plan
}

private func squaredError(_ a: Tensor, _ b: Tensor) -> Double {
  zip(a.doubles, b.doubles).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
}

@Suite struct CompressTests {
  /// Every way to cut sorted values into runs, tried.
  private func leastError(_ values: [Double], _ clusters: Int) -> Double {
    if values.isEmpty { return 0 }
    if clusters == 0 { return .infinity }
    return (1...values.count).map { count -> Double in
      let mean = values.prefix(count).reduce(0, +) / Double(count)
      let here = values.prefix(count).reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return here + leastError(Array(values.dropFirst(count)), clusters - 1)
    }.min() ?? .infinity
  }

  @Test func kmeansIsTheOptimum() throws {
    for (seed, bits) in [(1, 1), (2, 2), (3, 2), (4, 1)] {
      let weight = weights([3, 4], seed: UInt64(seed))
      var function = try layer(weight)
      let (_, restored) = try compressed(&function, plan(.palettize(.init(bits: bits))))
      let best = leastError(weight.doubles.sorted(), 1 << bits)
      #expect(abs(squaredError(weight, try #require(restored)) - best) <= 1e-5 * best)
      #expect(operators(function) == "constexpr_lut_to_dense linear")
    }
  }

  /// Repeated values, fewer than there are entries, signed zeros: nothing is lost.
  @Test func fewValuesSurvive() throws {
    let weight = Tensor([2, 4], floats: [1, -1, 0, 1, -0.0, 1, 3, 3])
    for bits in [2, 3, 4, 6, 8] {
      var function = try layer(weight)
      #expect(try compressed(&function, plan(.palettize(.init(bits: bits)))).1?.doubles == weight.doubles)
    }
    var unique = Palettization(bits: nil)
    unique.mode = .unique
    var function = try layer(weight)
    let (report, restored) = try compressed(&function, plan(.palettize(unique)))
    #expect(restored?.doubles == weight.doubles && report.compressed.count == 1)
    #expect(function.values.contains { $0.fact.dtype == .uint2 })
    function = try layer(weights([20, 20]))
    #expect(try compressed(&function, plan(.palettize(unique))).0.weights[0].reason?.contains("256") == true)
  }

  @Test func uniformPalettesAreEvenlySpaced() throws {
    var uniform = Palettization(bits: 2)
    uniform.mode = .uniform
    var function = try layer(Tensor([1, 4], floats: [0, 0.9, 2.2, 3]))
    #expect(try compressed(&function, plan(.palettize(uniform))).1?.doubles == [0, 1, 2, 3])
  }

  @Test func granularityLessensTheError() throws {
    var rows = weights([8, 64]).floats
    for index in rows.indices { rows[index] *= Float(1 << (index / 64)) / 16 }
    let weight = Tensor([8, 64], floats: rows)
    var errors: [Double] = []
    for granularity in [Granularity.tensor, .groups(4), .groups(2), .channel] {
      var options = Palettization(bits: 3)
      options.granularity = granularity
      var function = try layer(weight)
      let (report, restored) = try compressed(&function, plan(.palettize(options)))
      errors.append(squaredError(weight, try #require(restored)))
      #expect(abs((report.weights[0].error?.relative ?? 0) - report.error) < 1e-12)
    }
    #expect(errors == errors.sorted(by: >))
    var options = Palettization(bits: 3)
    options.granularity = .groups(3)
    var function = try layer(weight)
    #expect(
      try compressed(&function, plan(.palettize(options))).0.weights[0].reason
        == "8 channels do not divide into groups of 3"
    )
  }

  /// Rows of very different magnitude: scaled by output channel, none loses what it says.
  @Test func scaledChannelsKeepEveryRow() throws {
    var rows = weights([16, 96]).floats
    for index in rows.indices { rows[index] *= Float(1 << (index / 96)) / 1024 }
    for dtype in [DType.float32, .float16] {
      let weight = Tensor([16, 96], floats: rows).converted(to: dtype)
      var options = Palettization(bits: 4)
      var function = try layer(weight)
      let plain = try compressed(&function, plan(.palettize(options))).0.weights[0].error
      options.scalesChannels = true
      function = try layer(weight)
      let scaled = try compressed(&function, plan(.palettize(options))).0.weights[0].error
      #expect((plain?.worst ?? 0) > 0.9 && (scaled?.worst ?? 1) < 0.2, "\(dtype)")
      #expect(operators(function) == "constexpr_lut_to_dense constexpr_blockwise_shift_scale linear")
    }
  }

  /// No worse than the greatest magnitude as the end of the range.
  @Test func linearQuantizationBeatsThePlainRange() throws {
    let weight = weights([6, 64])
    for dtype in LinearQuantization.types {
      for isSymmetric in [true, false] {
        for granularity in [Granularity.tensor, .channel, .block(16), .blocks([2, 0])] {
          var options = LinearQuantization(dtype)
          (options.isSymmetric, options.granularity) = (isSymmetric, granularity)
          var function = try layer(weight)
          let (_, restored) = try compressed(&function, plan(.quantize(options)))
          let steps = Double(1 << dtype.bitWidth) / 2 - 1
          let step = (weight.doubles.map(abs).max() ?? 0) / steps
          let plain = weight.doubles.reduce(0) {
            $0 + ($1 - ($1 / step).rounded() * step) * ($1 - ($1 / step).rounded() * step)
          }
          #expect(squaredError(weight, try #require(restored)) <= plain * 1.0001, "\(options)")
          #expect(operators(function) == "constexpr_blockwise_shift_scale linear")
        }
      }
    }
    var options = LinearQuantization(.int4)
    options.granularity = .block(48)
    var function = try layer(weight)
    #expect(
      try compressed(&function, plan(.quantize(options))).0.weights[0].reason?.contains("does not divide") == true
    )
  }

  @Test func pruningDropsTheLeast() throws {
    let weight = Tensor([2, 4], floats: [4, -1, 3, 0, 2, -2, 5, 2])
    var function = try layer(weight)
    let (report, restored) = try compressed(&function, plan(.prune(.sparsity(0.5))))
    #expect(restored?.doubles == [4, 0, 3, 0, 0, 0, 5, 2])
    #expect(operators(function) == "constexpr_sparse_to_dense linear" && report.weights[0].bytesAfter == 4 * 4 + 1)
    function = try layer(weight)
    #expect(try compressed(&function, plan(.prune(.sparsity(0)))).1?.doubles == weight.doubles)
    function = try layer(weight)
    #expect(try compressed(&function, plan(.prune(.sparsity(1)))).1?.doubles == [Double](repeating: 0, count: 8))
    function = try layer(weight)
    #expect(try compressed(&function, plan(.prune(.threshold(1, least: 0.5)))).0.compressed.isEmpty)
    #expect(
      try compressed(&function, plan(.prune(.threshold(1, least: 0.25)))).1?.doubles == [4, 0, 3, 0, 2, -2, 5, 2]
    )
  }

  @Test func pruningGoesWithAnyForm() throws {
    let weight = weights([8, 32])
    for step in [CompressionStep.palettize(.init(bits: 4)), .quantize(.init(.int8)), .half] {
      var function = try layer(weight)
      let (report, restored) = try compressed(&function, plan(.prune(.sparsity(0.75)), step))
      let zeros = restored?.doubles.filter { $0 == 0 }.count ?? 0
      #expect(zeros >= 192 && operators(function).hasSuffix("constexpr_sparse_to_dense linear"))
      #expect(report.weights[0].bits < 10)
    }
    var function = try layer(weight)
    try compressed(&function, plan(.half))
    #expect(operators(function) == "constexpr_cast linear")
  }

  /// What cannot have a form stays, and says why.
  @Test func whatCannotBeCompressedStays() throws {
    var function = try layer(Tensor([1, 2], floats: [.infinity, 1]))
    #expect(
      try compressed(&function, plan(.palettize(.init(bits: 4)))).0.weights[0].reason == "it holds infinities or NaN"
    )
    #expect(operators(function) == "linear")
    function = try layer(Tensor(.float64, [1, 2], [1.0, 2]))
    #expect(try compressed(&function, plan(.palettize(.init(bits: 4)))).0.weights[0].reason?.contains("fp64") == true)
    function = try layer(Tensor([1, 2], floats: [70000, 1]))
    #expect(try compressed(&function, plan(.half)).0.weights[0].reason?.contains("fp16") == true)
  }
}
