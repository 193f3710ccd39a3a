import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// Models of a few bytes whose constants would unfold to many, by the operator that unfolds them. Each is a chain or a
/// row of `count` results of `size` floats, all of which reach the output.
private struct Unfolding: Sendable {
  let name: String
  /// One large result, the number-th.
  let make: @Sendable (inout Builder, _ number: Int, _ size: Int) throws(Diagnostic) -> ValueID

  func function(count: Int, size: Int) throws -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Int]()))
    var sum = x
    for number in 0..<count {
      let large = try make(&builder, number, size)
      let least = try builder(ReduceMax(axes: []), try builder(Cast(.float32), large))
      let number = try builder(Reshape(), least, builder.list([]))
      sum = try builder(Add(), sum, number)
    }
    return builder.finish([("y", sum)])
  }

  static let all: [Unfolding] = [
    Unfolding(name: "tile") { (b, n, size) throws(Diagnostic) in try b(Tile(), b.row(n, 1), b.list([size])) },
    Unfolding(name: "broadcast_to") { (b, n, size) throws(Diagnostic) in
      try b(BroadcastTo(), b.row(n, 1), b.list([size]))
    },
    Unfolding(name: "fill") { (b, n, size) throws(Diagnostic) in
      try b(Fill(), b.list([size]), b.constant(.scalar(.float32, Double(n))))
    },
    Unfolding(name: "range_1d") { (b, n, size) throws(Diagnostic) in
      let end = b.constant(.scalar(.int32, Double(n + size)))
      return try b(Range1D(), end, b.constant(.scalar(.int32, Double(n))), b.constant(.scalar(.int32, 1)))
    },
    Unfolding(name: "one_hot") { (b, n, size) throws(Diagnostic) in
      let one = b.constant(.scalar(.float32, Double(n)))
      return try b(
        OneHot(),
        b.list([n]),
        b.constant(.scalar(.int32, Double(size))),
        one,
        b.constant(.scalar(.float32, 0))
      )
    },
    Unfolding(name: "pad") { (b, n, size) throws(Diagnostic) in
      try b(Pad(), b.row(n, 1), b.list([0, size - 1]), b.constant(.scalar(.float32, 1)))
    },
    Unfolding(name: "gather") { (b, n, size) throws(Diagnostic) in
      let indices = b.constant(Tensor(.int64, [size / 64], [Int](repeating: n % 2, count: size / 64)))
      return try b(Gather(axis: 0), b.constant(Tensor(.float32, [2, 64], (0..<128).map { Double($0 + n) })), indices)
    },
    Unfolding(name: "matmul") { (b, n, size) throws(Diagnostic) in
      try b(MatMul(), b.constant(b.row(n, 64), [64, 1]), b.constant(b.row(n, size / 64), [1, size / 64]))
    },
    Unfolding(name: "cast") { (b, n, size) throws(Diagnostic) in
      try b(Cast(.float32), b.constant(Tensor(.uint8, [size], (0..<size).map { $0 % 200 + n })))
    },
    Unfolding(name: "concat") { (b, n, size) throws(Diagnostic) in
      var value = b.row(n, 2)
      for _ in 0..<(size.bitWidth - 2 - size.leadingZeroBitCount) {
        value = try b.append(Concat(axis: 0), [[value, value]])[0]
      }
      return value
    },
    Unfolding(name: "transpose") { (b, n, size) throws(Diagnostic) in
      let fill = try b(Fill(), b.list([64, size / 64]), b.constant(.scalar(.float32, Double(n))))
      return try b(Transpose([1, 0]), fill)
    },
    Unfolding(name: "scatter_nd") { (b, n, size) throws(Diagnostic) in
      let fill = try b(Fill(), b.list([size]), b.constant(.scalar(.float32, Double(n))))
      return try b(ScatterNd(), fill, b.constant(Tensor(.int64, [1, 1], [n])), b.row(n, 1))
    },
    Unfolding(name: "resize") { (b, n, size) throws(Diagnostic) in
      try b.append(Resize(), [[b.row(n, 2)], [b.list([size])], [], []])[0]
    },
    Unfolding(name: "eye_like") { (b, n, size) throws(Diagnostic) in
      let zeros = b.constant(Tensor(.uint8, [64, size / 64], [Int](repeating: 0, count: size)))
      return try b(EyeLike(.float32, k: n), zeros)
    },
    Unfolding(name: "cond") { (b, n, size) throws(Diagnostic) in
      let blocks = try [n, n + 1].map { (number) throws(Diagnostic) in
        _ = b.beginBlock()
        let large = try b(BroadcastTo(), b.row(number, 1), b.list([size]))
        return b.endBlock(yielding: [large])
      }
      return try b.append(Cond(), [[b.constant(Tensor(.bool, [], [n % 2]))]], blocks: blocks)[0]
    },
    Unfolding(name: "top_k") { (b, n, size) throws(Diagnostic) in
      let wide = try b(BroadcastTo(), b.row(n, 1), b.list([size]))
      return try b.append(TopK(), [[wide], [b.list([size])]])[0]
    },
    Unfolding(name: "texts") { (b, n, size) throws(Diagnostic) in
      try b(Tile(), b.constant(Tensor([1], strings: ["\(n)"])), b.list([size]))
    },
    Unfolding(name: "string_concat") { (b, n, size) throws(Diagnostic) in
      let column = b.constant(Tensor([size / 64, 1], strings: (0..<size / 64).map { "\($0 + n)" }))
      return try b(StringConcat(), column, b.constant(Tensor([1, 64], strings: (0..<64).map { ".\($0)" })))
    },
    Unfolding(name: "string_split") { (b, n, size) throws(Diagnostic) in
      let text = String(repeating: "\(n % 7) ", count: size)
      return try b.append(StringSplit(), [[b.constant(Tensor([], strings: [text]))]])[0]
    },
  ]
}

extension Builder {
  fileprivate mutating func list(_ numbers: [Int]) -> ValueID { constant(Tensor(.int64, [numbers.count], numbers)) }
  fileprivate mutating func row(_ number: Int, _ count: Int) -> ValueID {
    constant(Tensor(.float32, [count], (0..<count).map { Double(($0 + number) % 7) }))
  }
  fileprivate mutating func constant(_ row: ValueID, _ shape: [Int]) -> ValueID {
    constant(fact(row).value!.reshaped(shape))
  }
}

private func constantBytes(_ function: Function) -> Int {
  function.body.operations.reduce(0) { $0 + (($1.op as? Const)?.val.memoryBytes ?? 0) }
}

@Suite struct BudgetTests {
  /// Whatever unfolds constants, together they take no more than the budget; what they would be is computed as the
  /// model runs.
  @Test func constantsStayWithinTheBudget() throws {
    for unfolding in Unfolding.all {
      let before = try unfolding.function(count: 20, size: 1 << 15)
      var after = before
      var options = PassOptions()
      options.budget = Budget(modelBytes: 0, memory: 1 << 20)
      try PassPipeline.standard.run(&after, options: options)
      let made = constantBytes(after) - constantBytes(before)
      let small = Budget.smallConstant
      #expect(made <= (1 << 20) + small, "\(unfolding.name): \(made) bytes")
      #expect(options.budget.constantBytes <= 1 << 20, "\(unfolding.name)")
      #expect(!options.budget.declined.isEmpty, "\(unfolding.name) fits: the test tests nothing")
      let x = Tensor.scalar(.float32, 0.5)
      #expect(try Interpreter(after).run([x]) == Interpreter(before).run([x]), "\(unfolding.name)")
    }
  }

  /// A text that doubles with every node ends before memory does.
  @Test func longTextsCount() throws {
    var builder = Builder()
    var value = builder.input("x", TensorType(.string, [Int]()))
    for _ in 0..<50 { value = try builder(StringConcat(), value, value) }
    let run = Interpreter(builder.finish([("y", value)]), budget: Budget(modelBytes: 0, memory: 1 << 20))
    let refused = #expect(throws: Diagnostic.self) { try run.run([Tensor([], strings: ["ab"])]) }
    #expect(refused?.id == "budget.memory")
  }

  /// What other rewrites make of constants counts as well: one weight that many batch norms follow.
  @Test func rewritesStayWithinTheBudget() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, 64, 1, 1]))
    let weight = builder.constant(Tensor(.float32, [64, 64, 1, 1], [Double](repeating: 1, count: 4096)))
    var value = x
    for number in 0..<100 {
      let product = try builder(Conv(), value, weight)
      let scale = builder.constant(Tensor(.float32, [1, 64, 1, 1], [Double](repeating: Double(number + 2), count: 64)))
      value = try builder(Relu(), try builder(Mul(), product, scale))
    }
    var after = builder.finish([("y", value)])
    let before = constantBytes(after)
    var options = PassOptions()
    options.budget = Budget(modelBytes: 0, memory: 200_000)
    try PassPipeline.standard.run(&after, options: options)
    #expect(constantBytes(after) - before <= 200_000)
    #expect(options.budget.constantBytes > 4096 * 4, "nothing was folded: the test tests nothing")
  }

  /// Sizes that a graph computes fold however little is left.
  @Test func shapesFoldWithoutABudget() throws {
    let before = try function(
      "%x: fp32[2, 3]",
      "y",
      """
      %s = shape(x = %x)
      %f = cast(x = %s) {dtype = fp32}
      %r = sqrt(x = %f)
      %q = mul(x = %r, y = %r)
      %i = round(x = %q)
      %t = cast(x = %i) {dtype = int64}
      %y = reshape(x = %x, shape = %t) : fp32[a, b]
      """
    )
    var after = before
    var options = PassOptions()
    options.budget = Budget(modelBytes: 0, memory: 1)
    try PassPipeline([]).run(&after, options: options)
    #expect(after.type(after.outputs[0]).staticShape == [2, 3])
  }

  /// A kernel as large as what it slides over takes a minute and gives one number.
  @Test func longSumsStayComputed() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [Int]()))
    let shape = builder.constant(Tensor(.int64, [4], [1, 1, 500, 500]))
    let ones = try builder(Fill(), shape, builder.constant(.scalar(.float32, 1)))
    let kernel = builder.constant(Tensor(.int64, [4], [1, 1, 400, 400]))
    let product = try builder(Conv(), ones, try builder(Fill(), kernel, builder.constant(.scalar(.float32, 1))))
    var function = builder.finish([("y", try builder(Add(), product, x))])
    var options = PassOptions()
    options.budget = Budget(modelBytes: 0)
    try PassPipeline([]).run(&function, options: options)
    #expect(function.body.operations.contains { $0.op is Conv })
  }

  @Test func timeThatIsOverEndsPasses() throws {
    var function = try function("%x: fp32[2]", "y", "%y = abs(x = %x) loc(node \"here\" op \"Abs\")")
    var options = PassOptions()
    options.budget = Budget(modelBytes: 0, time: .zero)
    let error = #expect(throws: Diagnostic.self) { try PassPipeline.standard.run(&function, options: options) }
    #expect(error?.id == "budget.time" && error?.location.node == "here")
  }
}
