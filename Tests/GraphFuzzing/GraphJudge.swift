import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPasses
import TestSupport

/// Compares generated code, sanitized and as it is shipped, with the reference interpreter.
package struct GraphJudge: Sendable {
  private let runner: HostRunner
  /// `MLC_FAULT_DIVISION`.
  private static let division = 2

  package init(_ runner: HostRunner) { self.runner = runner }

  /// What the reference makes of one run; `nil` where it refuses the data: then code may compute anything, within its
  /// memory.
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
  ) -> Verdict { verdict(item, on: device, references: known) { _, _ in } }

  /// What became of `item`, and the least signal-to-noise ratio of any output in dB; `nil` where nothing was compared.
  package func measuredVerdict(_ item: GraphCase, on device: DeviceDescription) -> (Verdict, decibels: Double?) {
    var least: Double?
    let verdict = verdict(item, on: device, references: nil) { expected, played in
      for (reference, result) in zip(expected, played) where result.type == reference.type {
        guard let found = try? Comparison(expected: reference, actual: result, tolerance: .exact).signalToNoise else {
          continue
        }
        least = min(least ?? .infinity, found)
      }
    }
    return (verdict, least)
  }

  /// What code makes of the first run of `item`; `nil` where it does not run.
  package func outputs(_ item: GraphCase, on device: DeviceDescription) -> [Tensor]? {
    var outputs: [Tensor]?
    _ = verdict(item, on: device, references: nil) { _, played in outputs = outputs ?? played }
    return outputs
  }

  /// `observe` sees what the reference makes of a run, and what code makes of it.
  private func verdict(
    _ item: GraphCase,
    on device: DeviceDescription,
    references known: References?,
    observe: ([Tensor], [Tensor]) -> Void
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
      for (run, played) in played.flatMap({ zip(runs, $0) }) {
        guard let expected = run.expected else { continue }
        observe(expected, played.inOrder)
        if let problem = problem(item, graph, run.inputs, expected, played, device) { return .wrong(problem) }
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

  /// What became of each of `items`. They are built as one function, since the C compiler takes longer to start than
  /// for most of them; where that fails, and where one does not agree, each is built by itself.
  package func verdicts(_ items: [GraphCase], on device: DeviceDescription) -> [Verdict] {
    var verdicts = [Verdict?](repeating: nil, count: items.count)
    var (together, known): ([Int], [References?]) = ([], [])
    for (place, item) in items.enumerated() {
      let references = try? references(item)
      known.append(references)
      let isWhole = references.map { !$0.isEmpty && $0.allSatisfy { $0 != nil } } ?? false
      if isWhole, (try? EmittedGraph(item.function, for: device)) != nil { together.append(place) }
    }
    for (place, agrees) in zip(together, agreements(together.map { (items[$0], known[$0]!) }, on: device)) where agrees
    {
      verdicts[place] = .agrees
    }
    return items.indices.map { verdicts[$0] ?? verdict(items[$0], on: device, references: known[$0]) }
  }

  /// Which of `items` agree, built as one; none where that does not run.
  private func agreements(_ items: [(GraphCase, References)], on device: DeviceDescription) -> [Bool] {
    let none = items.map { _ in false }
    var batch = FunctionBatch()
    for (item, _) in items {
      guard (try? batch.append(item.function, item.runs)) != nil else { return none }
    }
    let whole = GraphCase("\(items.count) graphs", batch.function(), batch.runs)
    guard items.count > 1, let graph = try? EmittedGraph(whole.function, for: device) else { return none }
    let layouts = whole.runs.map { graph.layout(whole.sizes($0)) }
    guard !layouts.contains(where: { $0 == nil }),
      let played = try? runner.play(graph, zip(whole.runs, layouts).map { ($0, $1!) }, on: device)
    else { return none }
    let parts = played.map { build in build.map { $0.divided(batch) } }
    return items.enumerated().map { number, entry in
      let (item, references) = entry
      return parts.allSatisfy { build in
        references.indices.allSatisfy { run in
          let part = build[run][number]
          guard part.isBound, part.fault == 0, let expected = references[run] else { return false }
          return problem(item, graph, item.runs[run], expected, part, device, blames: false) == nil
        }
      }
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
    _ played: HostRunner.Played,
    _ device: DeviceDescription,
    blames: Bool = true
  ) -> Finding? {
    guard played.isBound else { return Finding(.fault, "the module refuses the sizes \(item.sizes(inputs))") }
    // Integers divided by zero give 0 in the reference, and code reports them.
    if played.fault & 0xffff_ffff == GraphJudge.division { return nil }
    if played.fault != 0 { return Finding(.fault, "fault \(played.fault)") }
    let stored = [Program([item.function]).narrowestFloat, device.factors].compactMap { $0 }
    let derived = Tolerance.derived(
      dtype: stored.max { $0.unitRoundOff ?? 0 < $1.unitRoundOff ?? 0 } ?? .float32,
      longestReduction: item.function.longestReduction(item.sizes(inputs)),
      sumsHalves: device.factors == .float16
    )
    let tolerances = NumericGrade.ofOutputs(item.function).map { $0.tolerance(derived: derived) }
    for (index, reference) in expected.enumerated() {
      guard let problem = difference(played.inOrder[index], reference, tolerances[index]) else { continue }
      let spread = RoundingSpread(item.function, inputs, around: expected)
      if isRounding(played.inOrder[index], reference, tolerances[index], spread.outputs[index], spread.overflows) {
        continue
      }
      let text = "output \(index) \(problem)"
      guard blames else { return Finding(.numbers, text) }
      guard let rewritten = try? Interpreter(graph.function).run(inputs) else {
        return Finding(.passes, "\(text); the rewritten function cannot be run")
      }
      let isRewritten = difference(rewritten[index], reference, tolerances[index]) != nil
      return Finding(isRewritten ? .passes : .numbers, text)
    }
    for (index, (one, other)) in zip(played.inOrder, played.shuffled).enumerated() where one != other {
      if disagreement(other, one, rtol: 0, atol: 0) == nil { continue }
      return Finding(.tasks, "output \(index) shuffled \(disagreement(other, one, rtol: 0, atol: 0)!)")
    }
    return nil
  }

  /// Whether each element lies where it may, and so many times `spread` besides, how far roundings move it. What became
  /// infinite or no number in the reference may be one where something before it `overflows`.
  private func isRounding(
    _ actual: Tensor,
    _ expected: Tensor,
    _ tolerance: Tolerance?,
    _ spread: [Double],
    _ overflows: Bool
  ) -> Bool {
    guard expected.dtype.isFloat, actual.type == expected.type, let tolerance, tolerance != .exact else { return false }
    let limits = tolerance.resolved(for: expected.doubles)
    let pairs = zip(actual.doubles, expected.doubles)
    return zip(pairs, spread).allSatisfy { pair, moved in
      let (a, b) = pair
      if a == b || a.isNaN && b.isNaN || overflows && !b.isFinite { return true }
      return abs(a - b) <= limits.absolute + limits.relative * abs(b) + GraphJudge.spreads * moved
    }
  }
  /// A few draws see a part of how far roundings move an element, and code sums in another order besides.
  private static let spreads = 16.0

  /// Why `actual` is not `expected`; of numbers that rounding decides only the type is compared.
  private func difference(_ actual: Tensor, _ expected: Tensor, _ tolerance: Tolerance?) -> String? {
    guard actual.type == expected.type else { return "is \(actual.type), expected \(expected.type)" }
    guard let tolerance else { return nil }
    let limits = expected.dtype.isFloat ? tolerance.resolved(for: expected.doubles) : .exact
    return disagreement(actual, expected, rtol: limits.relative, atol: limits.absolute)
  }
}
