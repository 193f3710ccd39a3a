import MLCCore
import MLCKernels

/// The strategies of one kind, weighed for one kernel.
struct StrategyChoice {
  /// The cheapest that takes the kernel; of equal ones the first of the table.
  let strategy: any Strategy.Type
  /// All of them, the cheapest first, those that refuse last.
  let candidates: [StrategyCandidate]

  /// Throws `target.strategy` with every strategy's reason where none takes the kernel.
  init(
    _ table: [any Strategy.Type],
    _ kernel: Kernel,
    in program: KernelProgram,
    on device: DeviceDescription
  ) throws(Diagnostic) {
    let weighed = table.map { strategy in
      (strategy, StrategyCandidate(strategy.name, strategy.outcome(kernel, in: program, on: device)))
    }
    let sorted = weighed.sorted { ($0.1.cycles ?? .infinity) < ($1.1.cycles ?? .infinity) }
    guard let best = sorted.first(where: { $0.1.cycles != nil }) else {
      throw StrategyChoice.refusal(weighed.map { $0.1 })
    }
    strategy = best.0
    candidates = sorted.map { $0.1 }
  }

  private static func refusal(_ candidates: [StrategyCandidate]) -> Diagnostic {
    let reasons: [String] = candidates.map { candidate in
      guard case .refused(let reason) = candidate.outcome else { return candidate.strategy }
      return "\(candidate.strategy): \(reason)"
    }
    return Diagnostic(
      "target.strategy",
      "nothing computes this product of tensors",
      kind: .unsupported,
      notes: reasons
    )
  }
}
