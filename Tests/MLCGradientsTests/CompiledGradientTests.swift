import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// Gradients and steps of training as code for this machine, beside the interpreter.
@Suite struct CompiledGradientTests {
  private struct Item {
    let name: String
    let function: Function
    let runs: [[Tensor]]
    let expected: [[Tensor]]
  }

  private let runner: CompiledRunner

  init() throws { runner = try CompiledRunner(DeviceSet(["host"]).devices[0]) }

  /// What differs by more than float32 rounds sums of some hundred terms.
  private func problems(_ items: [Item]) -> [String] {
    func play(_ part: [Item]) throws(Diagnostic) -> [String] {
      var batch = FunctionBatch()
      for item in part { try batch.append(item.function, item.runs) }
      var problems: [String] = []
      for (run, outputs) in try runner.run(batch.function(), batch.runs).enumerated() {
        for (item, results) in zip(part, batch.divided(outputs)) where run < item.expected.count {
          for (place, pair) in zip(results, item.expected[run]).enumerated() {
            let largest = pair.1.doubles.reduce(1) { max($0, abs($1)) }
            guard let problem = disagreement(pair.0, pair.1, rtol: 2e-5, atol: 2e-5 * largest) else { continue }
            problems.append("\(item.name), run \(run): result \(place) \(problem)")
          }
        }
      }
      return problems
    }
    return runner.inParts(items, of: 40, name: { $0.name }, play)
  }

  @Test(arguments: [101, 202] as [UInt64]) func operators(_ seed: UInt64) throws {
    var items: [Item] = []
    for gradientCase in GradientCase.all {
      var draw = Draw(seed: seed)
      let drawn = gradientCase.make(&draw).converted(to: .float32)
      let function = try GradientCheck(drawn, &draw).gradient()
      let expected = try Interpreter(function).run(drawn.variables)
      items.append(Item(name: gradientCase.name, function: function, runs: [drawn.variables], expected: [expected]))
    }
    let problems = problems(items)
    #expect(problems.isEmpty, "\(problems.count):\n\(problems.joined(separator: "\n"))")
  }
}
