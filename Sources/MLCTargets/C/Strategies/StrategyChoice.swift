import MLCCore
import MLCKernels

/// The strategies of one kind, weighed for one kernel.
struct StrategyChoice {
  /// The cheapest that takes the kernel; of equal ones the first of the table.
  let strategy: any Strategy.Type
  /// The device, with the variant that was chosen.
  let device: DeviceDescription
  /// What measurements of the kernel are kept by; `nil` where nobody measures.
  let problem: String?
  /// All of them, the one that was chosen first, then the cheapest ones, those that refuse last.
  let candidates: [StrategyCandidate]

  /// Throws `target.strategy` with every strategy's reason where none takes the kernel.
  init(
    _ table: [any Strategy.Type],
    _ kernel: Kernel,
    in program: KernelProgram,
    on device: DeviceDescription
  ) throws(Diagnostic) {
    let problem = device.tuning == nil ? nil : kernel.problem(in: program)
    self.problem = problem
    var weighed: [StrategyCandidate] = []
    for strategy in table {
      let own = StrategyCandidate(strategy.name, strategy.outcome(kernel, in: program, on: device))
      let variants = own.cycles == nil ? [] : StrategyChoice.variants(of: strategy, kernel, program, device, problem)
      weighed += variants.isEmpty ? [own] : variants
    }
    let times = problem.flatMap { device.tuning?.measured[$0] } ?? [:]
    for index in weighed.indices { weighed[index].nanoseconds = times[weighed[index].choice] }
    let costs = StrategyChoice.costs(weighed)
    let pinned = problem.flatMap { device.tuning?.pinned[$0] }
    let order = weighed.indices.sorted {
      let (first, second) = (weighed[$0].choice == pinned, weighed[$1].choice == pinned)
      return first == second ? costs[$0] < costs[$1] : first
    }
    candidates = order.map { weighed[$0] }
    guard let best = candidates.first, best.cycles != nil else { throw StrategyChoice.refusal(weighed) }
    strategy = table.first { $0.name == best.strategy }!
    self.device = best.variant == nil ? device : device.taking(best.variant)
  }

  /// Those that were measured or, where all are asked for, that there are.
  private static func variants(
    of strategy: any Strategy.Type,
    _ kernel: Kernel,
    _ program: KernelProgram,
    _ device: DeviceDescription,
    _ problem: String?
  ) -> [StrategyCandidate] {
    guard let tuning = device.tuning, let problem else { return [] }
    var names = strategy.variants(kernel, in: program, on: device)
    if !tuning.listsVariants {
      let known = tuning.measured[problem] ?? [:]
      names = names.filter { known[Tuning.Choice(strategy.name, $0)] != nil }
    }
    return names.map { name in
      let outcome = strategy.outcome(kernel, in: program, on: device.taking(name))
      return StrategyCandidate(strategy.name, outcome, variant: name)
    }
  }

  /// What candidates are compared by. Measured ones have their time; others their cycles, at the rate of the fastest
  /// measured one.
  private static func costs(_ candidates: [StrategyCandidate]) -> [Double] {
    let measured = candidates.filter { $0.nanoseconds != nil && $0.cycles != nil }
    guard let fastest = measured.min(by: { $0.nanoseconds! < $1.nanoseconds! }) else {
      return candidates.map { $0.cycles ?? .infinity }
    }
    let rate = fastest.nanoseconds! / max(1, fastest.cycles!)
    return candidates.map { candidate in
      guard let cycles = candidate.cycles else { return .infinity }
      return candidate.nanoseconds ?? cycles * rate
    }
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
