import GraphFuzzing
import MLCCore
import MLCGraph
import MLCPasses
import Synchronization
import Testing

/// What a compilation runs, pass by pass: none moves results farther than it declares.
@Suite struct PassByPassTests {
  /// What each pass that changed something made, in order.
  private final class Steps: Sendable {
    private let made = Mutex<[(pass: String, function: Function)]>([])
    func add(_ pass: String, _ function: Function) { made.withLock { $0.append((pass, function)) } }
    var all: [(pass: String, function: Function)] { made.withLock { $0 } }
  }

  /// Problems, and the passes that changed something.
  private struct Outcome {
    var problems: [String] = []
    var passes: Set<String> = []

    mutating func play(_ label: String, _ function: Function, _ runs: [[Tensor]]) throws(Diagnostic) {
      let steps = Steps()
      var options = PassOptions()
      options.verifies = true
      options.afterPass = { steps.add($0, $1) }
      var rewritten = function
      try PassPipeline.standard.run(&rewritten, options: options)
      passes.formUnion(steps.all.map { $0.pass })
      for inputs in runs {
        // What the reference refuses may become anything.
        guard var before = try? Interpreter(function).run(inputs) else { continue }
        for step in steps.all {
          let after = try Interpreter(step.function).run(inputs)
          let tolerance = PassByPassTests.tolerances[step.pass]!(function.narrowestFloat)
          if let problem = movement(before, after, tolerance: tolerance) {
            problems.append("\(label): after \(step.pass) \(problem)")
          }
          before = after
        }
        let problem = movement(before, try Interpreter(rewritten).run(inputs), tolerance: 0)
        if let problem { problems.append("\(label): at the end \(problem)") }
      }
    }
  }

  fileprivate static let tolerances: [String: @Sendable (DType) -> Double] = Dictionary(
    uniqueKeysWithValues: PassPipeline.all.map { pass in
      let type = type(of: pass)
      return (type.name, { type.tolerance(for: $0) })
    }
  )

  @Test func cases() throws {
    var outcome = Outcome()
    for item in PassCase.all {
      var draw = InputDraw(seed: 5)
      let function = try item.function()
      try outcome.play(item.label, function, [draw.inputs(of: function, sizes: item.sizes)])
    }
    #expect(outcome.problems.isEmpty, "\(outcome.problems.joined(separator: "\n"))")
    #expect(Set(PassPipeline.names).subtracting(outcome.passes) == [], "passes that find nothing")
  }

  @Test func randomGraphs() throws {
    var outcome = Outcome()
    for number in 0..<400 {
      let item = RandomGraph.draw(seed: 17, number: number)
      try outcome.play(item.label, item.function, item.runs)
    }
    #expect(outcome.problems.isEmpty, "\(outcome.problems.joined(separator: "\n"))")
    #expect(outcome.passes.count > 8, "\(outcome.passes.sorted())")
  }
}
