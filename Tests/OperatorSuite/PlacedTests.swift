import MLCCore
import MLCGraph
import MLCKernels
import MLCOps
import TestSupport
import Testing

/// The cases with a part of their steps on a simulated device that has a memory and a queue of its own.
@Suite(.serialized) struct PlacedTests {
  private static let items = OperatorCase.all.filter { CompiledExceptions.reason($0) == nil }

  @Test func everyCase() throws { try expectAgreement(Self.items.map { PlayedCase($0) }, seed: 1) }

  @Test func openSizes() throws {
    let items = Self.items.filter { SymbolicExceptions.reason($0) == nil }.compactMap { PlayedCase(symbolic: $0) }
    try expectAgreement(items, seed: 2)
  }

  private func expectAgreement(_ items: [PlayedCase], seed: UInt64) throws {
    var problems: [String] = []
    var segments = 0
    for (number, start) in stride(from: 0, to: items.count, by: 100).enumerated() {
      let part = Array(items[start..<min(start + 100, items.count)])
      let batch = try CaseBatch(part)
      let run = try PlacedRun(batch.function, .drawn(seed + UInt64(number), runs: 6))
      segments += run.segments
      for (index, results) in try run.outputs(batch.runs).enumerated() {
        problems += batch.problems(part, run: index, results)
      }
      #expect(run.log.uploads > 0 && run.log.downloads > 0)
    }
    #expect(segments > items.count / 20, "\(segments) segments of \(items.count) cases")
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  /// A device gets what it says that it takes, and no more.
  @Test func theFirstThatTakes() throws {
    func weights(_ shape: [Int], _ seed: Int) -> Tensor {
      Tensor(shape, floats: (0..<shape.reduce(1, *)).map { Float(($0 * 37 + seed) % 101) / 120 - 0.4 })
    }
    var builder = Builder()
    var x = builder.input("x", TensorType(.float32, ["n", 24]))
    for layer in 0..<3 {
      let product = try builder(MatMul(), x, builder.constant(weights([24, 24], layer)))
      x = try builder(Add(), try builder(Tanh(), product), product)
    }
    let function = builder.finish([("y", x)])
    let run = try PlacedRun(function, .firstThatTakes, elementwise: true)
    let input = weights([5, 24], 9)
    let result = try run.outputs([[input]])[0][0]
    #expect(disagreement(result, try Interpreter(function).run([input])[0], rtol: 1e-5, atol: 1e-6) == nil)
    #expect(run.segments == 6 && run.log.runs == 3, "\(run.segments) segments, \(run.log.runs) runs")
  }

  /// A loop whose rounds, and a size, are decided by what another device computed.
  @Test(arguments: 0..<8 as Range<UInt64>) func loopsAndLateSizes(_ seed: UInt64) throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, ["n"]))
    let found = try builder(NonZero(), try builder(Relu(), x))
    let places = try builder(Squeeze([1]), found)
    let chosen = try builder(Gather(axis: 0), x, places)
    let doubled = try builder(Add(), chosen, chosen)
    let start = try builder(ReduceSum(axes: [0]), doubled)
    let number = TensorType(.float32, [Dim]())
    let limit = builder.constant(.scalar(.float32, 100))
    let head = builder.beginBlock(inputs: [("a", number)])
    let condition = builder.endBlock(yielding: [try builder(Less(), head[0], limit)])
    let state = builder.beginBlock(inputs: [("b", number)])
    let body = builder.endBlock(yielding: [try builder(Add(), state[0], state[0])])
    let last = try builder.append(WhileLoop(), [[start]], blocks: [condition, body])[0]
    let scaled = try builder(Mul(), doubled, last)
    let function = builder.finish([("y", try builder(Neg(), scaled)), ("found", places), ("last", last)])
    let runs = [[3, -1, 4, 0, 5], [0.5], [1, 2, -3, 0, 0, 0, 6, 7]].map { (numbers: [Float]) in
      [Tensor([numbers.count], floats: numbers)]
    }
    let run = try PlacedRun(function, seed == 0 ? .device : .drawn(seed, runs: 1))
    for (arguments, results) in zip(runs, try run.outputs(runs)) {
      for (result, reference) in zip(results, try Interpreter(function).run(arguments)) {
        #expect(disagreement(result, reference, rtol: 1e-5, atol: 1e-6) == nil)
      }
    }
  }
}
