import MLCCore
import MLCKernels

extension TuningReport {
  /// A line for each contraction, or for each candidate where `all` are wanted.
  func text(all: Bool) -> ConsoleText {
    var table = Table(
      all
        ? ["µs", "of best", "kcycles", "candidate", "contraction", "nodes"]
        : ["µs", "before", "expected best", "fastest", "contraction", "nodes"],
      right: all ? [0, 1, 2] : [0, 1],
      cut: [4, 5]
    )
    for problem in problems {
      guard let best = problem.measured.first, let first = problem.candidates.first else { continue }
      let place = [problem.key, problem.nodes.joined(separator: ", ")]
      if !all {
        table.add(
          [microseconds(problem, best), microseconds(problem, first), first.choice.name, best.choice.name] + place
        )
        continue
      }
      for candidate in problem.measured {
        table.add(
          [
            microseconds(problem, candidate), (candidate.ratio! / best.ratio!).fixed(3),
            (candidate.cycles / 1000).fixed(1), candidate.choice.name,
          ] + place
        )
      }
    }
    if table.isEmpty { return "\(device): nothing to choose between" }
    var lines: [ConsoleText] = [table.text, ""]
    if all, let meanLoss {
      let correlation = meanCorrelation.map { $0.fixed(2) } ?? "–"
      lines.append(
        "the best by estimates takes \(meanLoss.fixed(3)) times the fastest; rank correlation \(correlation)"
      )
    }
    if !isWhole { lines.append("the time was over before every candidate was measured") }
    lines.append("prediction \(before.fixed(3)) ms by estimates, \(after.fixed(3)) ms tuned")
    return lines.joined(separator: "\n")
  }

  private func microseconds(_ problem: Problem, _ candidate: Candidate) -> String {
    problem.nanoseconds(candidate).map { ($0 / 1000).fixed(1) } ?? "–"
  }

  var json: [String: JSON] {
    func number(_ value: Double?, _ digits: Int) -> JSON { value.map { .rounded($0, digits) } ?? .null }
    let rows: [JSON] = problems.map { problem in
      let candidates: [JSON] = problem.candidates.map { candidate in
        .object([
          "strategy": .string(candidate.choice.strategy),
          "variant": candidate.choice.variant.map { .string($0) } ?? .null, "cycles": .rounded(candidate.cycles, 0),
          "ns": number(problem.nanoseconds(candidate), 1),
        ])
      }
      return .object([
        "problem": .string(problem.key), "nodes": .array(problem.nodes.map { .string($0) }),
        "steps": .integer(problem.steps), "candidates": .array(candidates), "loss": number(problem.loss, 4),
        "rank_correlation": number(problem.rankCorrelation, 3),
      ])
    }
    return [
      "device": .string(device), "problems": .array(rows), "whole": .bool(isWhole), "before_ms": .rounded(before, 4),
      "after_ms": .rounded(after, 4), "loss": number(meanLoss, 4), "rank_correlation": number(meanCorrelation, 3),
    ]
  }
}
