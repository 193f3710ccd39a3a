import MLCCore
import MLCGraph
import MLCPasses
import Testing

@Suite struct RecognizeTests {
  /// Where activations end: an operation that stands for several takes NaN, infinities and large numbers as they do.
  @Test func activationsKeepTheirLimits() throws {
    let extremes = Tensor(.float32, [1, 8], [.infinity, -.infinity, .nan, -0.0, 1e30, -1e30, 100, -100])
    let items = PassCase.all.filter { $0.tries(RecognizeActivations.name) && $0.after != nil }
    #expect(items.count > 5)
    for item in items {
      let old = try Interpreter(item.function()).run([extremes])[0].doubles
      let new = try Interpreter(item.rewritten().function).run([extremes])[0].doubles
      // Denormal numbers keep fewer digits.
      let isClose = zip(old, new).allSatisfy { x, y in
        x == y || x.isNaN && y.isNaN || abs(x - y) <= RecognizeActivations.tolerance * abs(x) + 1e-38
      }
      #expect(isClose, "\(item.label): \(old), \(new)")
    }
  }
}
