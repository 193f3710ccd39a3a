import MLCCore

/// Finds the operations whose rounding to float16 costs a function's outputs most.
///
/// Noise powers of independent roundings add. So the noise of a group of neighbours is measured with this group alone
/// in float16; the noisiest groups stay in float32 until what is left fits the budget, and these are halved, noisiest
/// first, until they are single operations or measuring has taken `limit` runs.
struct HalfSearch {
  private struct Group {
    var names: ArraySlice<String>
    /// Noise over signal when only this group is in float16.
    var noise: Double
  }
  private let trial: HalfTrial
  private let budget: Double
  private let limit = 64
  private var runs = 0
  private let progress: @Sendable (String, Double) -> Void

  init(_ trial: HalfTrial, budget: Double, progress: @escaping @Sendable (String, Double) -> Void) {
    (self.trial, self.budget, self.progress) = (trial, budget, progress)
  }

  /// The operations to keep by their first results, each with the signal-to-noise ratio in dB that its group leaves.
  mutating func run() throws(Diagnostic) -> [String: Double] {
    let all = try trial.candidates()
    var groups = try split(all[...], 16, of: all)
    while let place = coarsest(groups), runs < limit {
      let group = groups.remove(at: place)
      groups += try split(group.names, 2, of: all)
    }
    groups.sort { $0.noise > $1.noise }
    var count = chosen(groups)
    // Noise that does not add, because one error changes what the next one does, takes more groups.
    while count < groups.count, try !fits(groups[..<count]) { count += max(1, groups.count / 32) }
    var kept: [String: Double] = [:]
    for group in groups.prefix(count) {
      for name in group.names { kept[name] = -10 * group.noise.log10 }
    }
    return kept
  }

  /// How many of the groups, noisiest first, are kept so that the noise of the others fits the budget.
  private func chosen(_ groups: [Group]) -> Int {
    var (rest, count) = (groups.reduce(0) { $0 + $1.noise }, 0)
    while count < groups.count, !(rest <= budget) {
      count += 1
      rest = groups[count...].reduce(0) { $0 + $1.noise }
    }
    return count
  }

  /// The noisiest kept group that can be divided.
  private func coarsest(_ groups: [Group]) -> Int? {
    let order = groups.indices.sorted { groups[$0].noise > groups[$1].noise }
    return order.prefix(chosen(order.map { groups[$0] })).first { groups[$0].names.count > 1 }
  }

  private mutating func split(_ names: ArraySlice<String>, _ parts: Int, of all: [String]) throws(Diagnostic) -> [Group]
  {
    var groups: [Group] = []
    let count = min(parts, names.count)
    for part in 0..<count {
      let (low, high) = (names.count * part / count, names.count * (part + 1) / count)
      let members = names[names.startIndex + low..<names.startIndex + high]
      runs += 1
      progress("what costs most in fp16", 0.3 + 0.6 * Double(runs) / Double(limit + 8))
      groups.append(Group(names: members, noise: try trial.noise(keeping: Set(all).subtracting(members))))
    }
    return groups
  }

  private func fits(_ kept: ArraySlice<Group>) throws(Diagnostic) -> Bool {
    try trial.fits(budget, keeping: Set(kept.flatMap { $0.names }))
  }
}
