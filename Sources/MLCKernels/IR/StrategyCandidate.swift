/// One of the ways to compute a kernel that a target weighed.
package struct StrategyCandidate: Hashable, Sendable {
  package var strategy: String
  /// How the strategy divides the work, where that was asked for.
  package var variant: String?
  package var outcome: Outcome
  /// What it took when it was measured on the machine that it is for.
  package var nanoseconds: Double?

  package enum Outcome: Hashable, Sendable {
    /// Estimated cycles on one core, sizes that are not known taken as usual ones.
    case cycles(Double)
    /// Why it cannot be computed so.
    case refused(String)
  }

  package init(_ strategy: String, _ outcome: Outcome, variant: String? = nil, nanoseconds: Double? = nil) {
    (self.strategy, self.outcome, self.variant, self.nanoseconds) = (strategy, outcome, variant, nanoseconds)
  }

  /// `nil` where it is refused.
  package var cycles: Double? { if case .cycles(let cycles) = outcome { cycles } else { nil } }
  package var choice: Tuning.Choice { Tuning.Choice(strategy, variant) }
}
