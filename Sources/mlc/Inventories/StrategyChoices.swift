import MLCCompiler
import MLCCore
import MLCKernels

/// By what strategy each product of tensors of a target is computed, and what else was weighed.
struct StrategyChoices {
  private let device: String
  /// Those with a choice, in the order of their execution.
  private let calls: [ModuleStep]

  init(_ target: CompileReport.Target) {
    device = target.device
    calls = target.calls.filter { !$0.candidates.isEmpty }
  }

  /// A line a call: expected cycles are of one core, in thousands.
  var text: ConsoleText {
    let heads = ["strategy", "kcycles", "kernel", "result", "nodes", "instead"]
    var table = Table(heads, right: [1], cut: [3, 4, 5])
    for call in calls {
      let chosen = call.candidates[0]
      table.add([
        chosen.choice.name, chosen.cycles.map { ($0 / 1000).fixed(0) } ?? "–", call.kernel,
        call.results.map { $0.description }.joined(separator: ", "),
        call.origins.compactMap(\.node).joined(separator: ", "), StrategyChoices.others(call.candidates),
      ])
    }
    if table.isEmpty { return "\(device): no products of tensors" }
    return "\(device): cycles are estimates for one core\n" + table.text
  }

  /// `DirectConvNCHWc 2.4 ×; StemConv: its input is not plain`.
  private static func others(_ candidates: [StrategyCandidate]) -> String {
    candidates.dropFirst().map { candidate in
      switch candidate.outcome {
      case .cycles(let cycles):
        guard let least = candidates[0].cycles, least > 0 else { return candidate.strategy }
        return "\(candidate.choice.name) \((cycles / least).fixed(2)) ×"
      case .refused(let reason): return "\(candidate.strategy): \(reason)"
      }
    }.joined(separator: "; ")
  }

  var json: JSON {
    .array(
      calls.map { call in
        .object([
          "kernel": .string(call.kernel), "nodes": .array(call.origins.compactMap(\.node).map { .string($0) }),
          "results": .array(call.results.map { .string($0.description) }),
          "candidates": .array(call.candidates.map { $0.json }),
        ])
      }
    )
  }
}

extension StrategyCandidate {
  fileprivate var json: JSON {
    var members: [String: JSON] = ["strategy": .string(strategy)]
    switch outcome {
    case .cycles(let cycles): members["cycles"] = .rounded(cycles, 0)
    case .refused(let reason): members["refused"] = .string(reason)
    }
    if let variant { members["variant"] = .string(variant) }
    if let nanoseconds { members["ns"] = .rounded(nanoseconds, 1) }
    return .object(members)
  }
}
