import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPasses
import TestSupport

/// Compares sanitized generated code with the reference interpreter.
package struct GraphJudge: Sendable {
  private let runner: SanitizedRunner

  package init(_ runner: SanitizedRunner) { self.runner = runner }

  /// What the reference makes of one run; `nil` where it refuses the data: then code may compute anything, within its memory.
  private struct Run {
    var inputs: [Tensor]
    var expected: [Tensor]?
    var layout: EmittedGraph.Layout
  }

  /// The reference's outputs of each run, `nil` for runs that it refuses. Throws a finding when a result is not what
  /// inference promised.
  package typealias References = [[Tensor]?]

  package func verdict(
    _ item: GraphCase,
    on device: DeviceDescription,
    references known: References? = nil
  ) -> Verdict {
    do {
      let references = try known ?? references(item)
      if references.allSatisfy({ $0 == nil }) { return .meaningless("the reference refuses every run") }
      let graph = try EmittedGraph(item.function, for: device)
      var runs: [Run] = []
      for (inputs, expected) in zip(item.runs, references) {
        guard let layout = graph.layout(item.sizes(inputs)) else { continue }
        runs.append(Run(inputs: inputs, expected: expected, layout: layout))
      }
      guard !runs.isEmpty else { return .meaningless("the inputs do not determine the sizes") }
      let played = try runner.play(graph, runs.map { ($0.inputs, $0.layout) }, on: device)
      for (run, played) in zip(runs, played) {
        guard let expected = run.expected else { continue }
        if let problem = problem(item, graph, run.inputs, expected, played) { return .wrong(problem) }
      }
      return .agrees
    } catch let diagnostic as Diagnostic {
      return diagnostic.kind == .unsupported
        ? .refused(diagnostic) : .wrong(Finding(.compiler, "\(diagnostic) \(diagnostic.notes.prefix(3))"))
    } catch let problem as Problem {
      return .wrong(problem.finding)
    } catch {
      return .wrong(Finding(.compiler, "\(error)"))
    }
  }

  package func references(_ item: GraphCase) throws -> References {
    try item.function.verify()
    return try item.runs.map { inputs in
      let run: AuditedRun
      do { run = try AuditedRun(item.function, inputs) } catch { return nil }
      if let broken = run.broken.first { throw Problem(.inference, broken) }
      return run.outputs
    }
  }

  private func problem(
    _ item: GraphCase,
    _ graph: EmittedGraph,
    _ inputs: [Tensor],
    _ expected: [Tensor],
    _ played: SanitizedRunner.Played
  ) -> Finding? {
    guard played.isBound else { return Finding(.fault, "the module refuses the sizes \(item.sizes(inputs))") }
    if played.fault != 0 { return Finding(.fault, "fault \(played.fault)") }
    let tolerance = Tolerance.derived(
      dtype: Program([item.function]).narrowestFloat ?? .float32,
      longestReduction: item.function.longestReduction(item.sizes(inputs))
    )
    let stable = NumericGrade.stableOutputs(item.function)
    for (index, reference) in expected.enumerated() {
      guard let problem = difference(played.inOrder[index], reference, tolerance, stable[index]) else { continue }
      let text = "output \(index) \(problem)"
      guard let rewritten = try? Interpreter(graph.function).run(inputs) else {
        return Finding(.passes, "\(text); the rewritten function cannot be run")
      }
      let isRewritten = difference(rewritten[index], reference, tolerance, stable[index]) != nil
      return Finding(isRewritten ? .passes : .numbers, text)
    }
    for (index, (one, other)) in zip(played.inOrder, played.shuffled).enumerated() where one != other {
      if disagreement(other, one, rtol: 0, atol: 0) == nil { continue }
      return Finding(.tasks, "output \(index) shuffled \(disagreement(other, one, rtol: 0, atol: 0)!)")
    }
    return nil
  }

  /// Why `actual` is not `expected`; of numbers that rounding decides only the type is compared.
  private func difference(_ actual: Tensor, _ expected: Tensor, _ tolerance: Tolerance, _ isStable: Bool) -> String? {
    guard actual.type == expected.type else { return "is \(actual.type), expected \(expected.type)" }
    guard isStable else { return nil }
    let limits = expected.dtype.isFloat ? tolerance.resolved(for: expected.doubles) : .exact
    return disagreement(actual, expected, rtol: limits.relative, atol: limits.absolute)
  }
}
