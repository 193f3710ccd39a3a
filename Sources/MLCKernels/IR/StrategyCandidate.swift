/// One of the ways to compute a kernel that a target weighed.
package struct StrategyCandidate: Hashable, Sendable {
  package var strategy: String
  package var outcome: Outcome

  package enum Outcome: Hashable, Sendable {
    /// Estimated cycles on one core, sizes that are not known taken as usual ones.
    case cycles(Double)
    /// Why it cannot be computed so.
    case refused(String)
  }

  package init(_ strategy: String, _ outcome: Outcome) { (self.strategy, self.outcome) = (strategy, outcome) }

  /// `nil` where it is refused.
  package var cycles: Double? { if case .cycles(let cycles) = outcome { cycles } else { nil } }
}
