import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// Models with open sizes and conditions on them, drawn by lot so that there is a solution, which the model knows and
/// the search does not.
private struct ConstrainedModel {
  var function: Function
  var solution: [String: Int] = [:]

  init(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed, name: "sizes")
    func draw(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(generator.next() % UInt64(range.count)) }
    var builder = Builder()
    var outputs: [(name: String, value: ValueID)] = []
    var bounds: [String: ClosedRange<Int>] = [:]
    for number in 0..<draw(1...3) {
      let (a, b) = ("a\(number)", "b\(number)")
      let factor = draw(1...12)
      let wanted = factor * draw(1...20)
      let x = builder.input("x\(number)", TensorType(.float32, [Dim.symbol(a), 2]))
      solution[a] = wanted
      // As many rows as a reshape divides without rest.
      let split = try builder(Reshape(), x, builder.constant(.shape([-1, factor, 2])))
      outputs.append(("s\(number)", try builder(ReduceSum(axes: [0, 1]), split)))
      if draw(0...1) == 1 { bounds[a] = max(1, wanted - draw(0...9))...(wanted + draw(0...9)) }
      // Another input has as many columns as this one has rows.
      if draw(0...1) == 1 {
        let y = builder.input("y\(number)", TensorType(.float32, [3, Dim.symbol(b)]))
        solution[b] = wanted
        outputs.append(("p\(number)", try builder(MatMul(), y, x)))
      }
      // A window that needs a least size.
      if draw(0...1) == 1 {
        let w = "w\(number)"
        let length = draw(2...90)
        let z = builder.input("z\(number)", TensorType(.float32, [1, 1, Dim.symbol(w)]))
        let ones = [Double](repeating: 1, count: length)
        outputs.append(
          ("c\(number)", try builder(Conv(), z, builder.constant(Tensor(.float32, [1, 1, length], ones))))
        )
        solution[w] = length
        if draw(0...1) == 1 { bounds[w] = 1...(length + draw(0...40)) }
      }
    }
    function = builder.finish(outputs)
    function.bounds = bounds
  }
}

@Suite struct SizeChoiceTests {
  /// Where there are sizes that a model takes, some are found, inside their bounds, and the model runs on them.
  @Test func sizesSatisfyTheModel() throws {
    for seed in 0..<150 {
      let model = try ConstrainedModel(seed: UInt64(seed))
      for scale in [1, 2] {
        let sizes = try SizeChoice(model.function, scale: scale, memory: 1 << 26).byName
        for (name, range) in model.function.bounds {
          #expect(range.contains(try #require(sizes[name])), "seed \(seed)")
        }
        let inputs = try InputGenerator(model.function, sizes: sizes, seed: 0).inputs()
        #expect(throws: Never.self, "seed \(seed): \(sizes), and \(model.solution) would do") {
          _ = try Interpreter(model.function, budget: Budget(modelBytes: 0, memory: 1 << 26)).run(inputs)
        }
      }
    }
  }

  /// `--precision fp16` never blames a model for the sizes that it draws itself.
  @Test func halfPrecisionFindsSizes() throws {
    for seed in 0..<20 {
      var function = try ConstrainedModel(seed: UInt64(seed)).function
      #expect(throws: Never.self, "seed \(seed)") { _ = try HalfPrecision().apply(to: &function) }
    }
  }

  /// Which branch runs is not known: sizes are found that both take, and where there are none, sizes that the rest
  /// takes.
  @Test func sizesSatisfyEveryBranch() throws {
    for (lengths, rest, wanted) in [([30, 70], 3, 70...), ([30, 70], 30, 70...), ([1, 70], 1, 70...)] {
      let function = try Self.windows(lengths, rest: rest, bounds: nil)
      #expect(wanted.contains(try #require(try SizeChoice(function).byName["n"])))
    }
    let function = try Self.windows([30, 70], rest: 3, bounds: 1...60)
    #expect((3...60).contains(try #require(try SizeChoice(function).byName["n"])))
  }

  /// A window over an axis `n`, and one more, whose length a condition chooses.
  private static func windows(_ lengths: [Int], rest: Int, bounds: ClosedRange<Int>?) throws -> Function {
    var builder = Builder()
    let condition = builder.input("condition", TensorType(.bool, [Dim]()))
    let x = builder.input("x", TensorType(.float32, [1, 1, "n"]))
    let always = try window(&builder, x, rest)
    let branches = try lengths.map { length in
      _ = builder.beginBlock()
      let y = try window(&builder, x, length)
      return builder.endBlock(yielding: [y])
    }
    let chosen = try builder.append(Cond(), [[condition]], names: ["chosen"], blocks: branches)
    var function = builder.finish([("always", always), ("chosen", chosen[0])])
    if let bounds { function.bounds["n"] = bounds }
    return function
  }

  private static func window(_ builder: inout Builder, _ x: ValueID, _ length: Int) throws -> ValueID {
    let ones = [Double](repeating: 1, count: length)
    let y = try builder(Conv(), x, builder.constant(Tensor(.float32, [1, 1, length], ones)))
    return try builder(ReduceSum(axes: [2]), y)
  }

  /// What the user gives stays; the others follow.
  @Test func givenSizesStay() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, ["n", "k"]))
    let y = builder.input("y", TensorType(.float32, ["l", 2]))
    let function = builder.finish([("z", try builder(MatMul(), x, y))])
    let sizes = try SizeChoice(function, wanted: ["k": 23]).byName
    #expect(sizes["k"] == 23 && sizes["l"] == 23)
    // Sizes that were all given are the user's own.
    #expect(try SizeChoice(function, wanted: ["n": 1, "k": 2, "l": 3]).byName["l"] == 3)
  }

  /// Small sizes where the usual ones take too much.
  @Test func sizesFitMemory() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, 1, "h", "w"]))
    let reps = builder.constant(.shape([1, 1, 1000, 1000]))
    let function = builder.finish([("y", try builder(Tile(), x, reps))])
    let sizes = try SizeChoice(function, memory: 100_000_000).byName
    #expect(sizes["h"]! * sizes["w"]! * 4_000_000 <= 100_000_000)
    let error = #expect(throws: Diagnostic.self) { try SizeChoice(function, memory: 1000) }
    #expect(error?.id == "size.none" && error?.kind == .unsupported)
    #expect(error?.message.contains("--size") ?? false)
  }
}
