/// How code is built that the host plays.
package enum HostBuild: Sendable {
  /// With AddressSanitizer and UndefinedBehaviorSanitizer, not optimised: clang takes many times as long where it
  /// optimises around all their checks, which it puts in before.
  case checked
  /// The same, optimised, for what would run for too long otherwise.
  case checkedFast
  /// As packages have it: what the optimiser makes of it counts.
  case shipped

  var isSanitized: Bool { self != .shipped }

  var level: String {
    switch self {
    case .checked: "-O0"
    case .checkedFast: "-O1"
    case .shipped: "-O2"
    }
  }
}
