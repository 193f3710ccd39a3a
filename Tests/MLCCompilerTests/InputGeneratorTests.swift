import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import Testing

@Suite struct InputGeneratorTests {
  /// A table of 7 rows looked up by `ids`, a picture, a flag that is compared with 16000.
  private func function() throws -> Function {
    var builder = Builder()
    let ids = builder.input("ids", TensorType(.int64, ["batch", "length"]))
    let picture = builder.input("picture", TensorType(.float32, ["batch", 3, "h", "w"]))
    let rate = builder.input("rate", TensorType(.int64, [Int]()))
    let table = builder.constant(Tensor(.float32, [7, 2], [Double](repeating: 1, count: 14)))
    let rows = try builder(Gather(axis: 0), table, ids)
    let wanted = builder.constant(Tensor.scalar(.int64, 16000))
    let flag = try builder(Equal(), rate, wanted)
    let sum = try builder(ReduceSum(axes: [1, 2, 3]), picture)
    return builder.finish([("rows", rows), ("flag", flag), ("sum", sum)])
  }

  @Test func sizesHaveDefaultsThatCanBeChanged() throws {
    let function = try function()
    #expect(try SizeChoice(function).byName == ["batch": 1, "length": 16, "h": 64, "w": 64])
    #expect(try SizeChoice(function, wanted: ["h": 5]).byName["h"] == 5)
    #expect { try SizeChoice(function, wanted: ["depth": 5]) } throws: { ($0 as? Diagnostic)?.id == "size.unknown" }
    var bounded = function
    bounded.bounds["h"] = 100...200
    #expect(try SizeChoice(bounded).byName["h"] == 100)
    #expect { try SizeChoice(bounded, wanted: ["h": 5]) } throws: { ($0 as? Diagnostic)?.id == "size.range" }
    var enumerated = function
    enumerated.enumerations = [try #require(SizeEnumeration(["h", "w"], choices: [[48, 32], [32, 48], [48, 80]]))]
    #expect(try SizeChoice(enumerated, scale: 4).byName == ["batch": 1, "length": 64, "h": 48, "w": 32])
    #expect(try SizeChoice(enumerated, wanted: ["w": 80]).byName["h"] == 48)
    #expect { try SizeChoice(enumerated, wanted: ["h": 32, "w": 32]) } throws: {
      ($0 as? Diagnostic)?.id == "size.range"
    }
    #expect { try SizeChoice.every(enumerated, wanted: ["h": 32, "w": 32]) } throws: {
      ($0 as? Diagnostic)?.id == "size.range"
    }
    // Every choice of each enumeration once, whatever the others do.
    enumerated.enumerations += [try #require(SizeEnumeration(["length"], choices: [[8], [16]]))]
    func tried(_ wanted: [String: Int] = [:]) throws -> [[Int?]] {
      try SizeChoice.every(enumerated, wanted: wanted).map { choice in ["h", "w", "length"].map { choice.byName[$0] } }
    }
    #expect(try tried() == [[48, 32, 8], [32, 48, 16], [48, 80, 8]])
    #expect(try tried(["h": 48]) == [[48, 32, 8], [48, 80, 16]])
    #expect(try SizeChoice.every(function).map { $0.byName } == [SizeChoice(function).byName])
  }

  @Test func integersStayInsideWhatTheyIndex() throws {
    let function = try function()
    let inputs = try InputGenerator(function, sizes: ["batch": 4, "length": 50, "h": 2, "w": 2], seed: 1).inputs()
    #expect(inputs[0].shape == [4, 50] && Set(inputs[0].integers) == Set(0..<7))
    #expect(inputs[2].integers == [16000])
    #expect(try Interpreter(function).run(inputs).count == 3)
  }

  @Test func divisorsAreNotZero() throws {
    for op in [RealDiv(), FloorDiv(), Mod()] as [any Operator] {
      var builder = Builder()
      let (x, y) = (builder.input("x", TensorType(.int8, [64])), builder.input("y", TensorType(.int8, [64])))
      let function = builder.finish([("z", try builder(op, x, try builder(Identity(), y)))])
      let inputs = try InputGenerator(function, sizes: [:], seed: 1).inputs()
      #expect(inputs[0].integers.contains(0) && Set(inputs[1].integers) == Set(1..<8))
    }
  }

  @Test func seedsDecideEverything() throws {
    let function = try function()
    let sizes = try SizeChoice(function).byName
    let inputs = try InputGenerator(function, sizes: sizes, seed: 1).inputs()
    #expect(try InputGenerator(function, sizes: sizes, seed: 1).inputs() == inputs)
    #expect(try InputGenerator(function, sizes: sizes, seed: 2).inputs()[1] != inputs[1])
    let mean = inputs[1].doubles.reduce(0, +) / Double(inputs[1].count)
    #expect(abs(mean) < 0.05)
  }

  @Test func longestReductionCountsTheTermsOfOneElement() throws {
    let function = try function()
    #expect(function.longestReduction(["batch": 2, "h": 10, "w": 20]) == 600)
  }
}
