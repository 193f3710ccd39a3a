import MLCCore

/// What is done to which weights: a step for all, others for operators of a type, others for weights and nodes by name.
/// A name goes before a type, a type before the rest, as in coremltools; an entry that holds `nil` leaves its weights
/// alone.
package struct CompressionRules: Sendable {
  package struct Rule: Sendable {
    package var step: CompressionStep?
    /// Of a weight's elements; fewer leave it alone. The plan's own number when `nil`.
    package var minimumElements: Int?

    package init(_ step: CompressionStep?, minimumElements: Int? = nil) {
      (self.step, self.minimumElements) = (step, minimumElements)
    }
  }

  package var all: Rule?
  package var byOperator: [String: Rule] = [:]
  package var byName: [String: Rule] = [:]

  package init(all: Rule? = nil) { self.all = all }

  func rule(for weight: CompressibleWeight) -> Rule? {
    for name in weight.names { if let rule = byName[name] { return rule } }
    for type in weight.operators { if let rule = byOperator[type] { return rule } }
    return all
  }
}

/// Which weights of a model are compressed, and how.
package struct CompressionPlan: Sendable {
  /// Applied one after the other: pruning goes together with any other step; of several others the last counts.
  package var rules: [CompressionRules]
  /// Patterns of names and operator types to leave alone; `*` stands for any characters.
  package var skip: [String] = []
  package var minimumElements = 2048

  package init(_ rules: [CompressionRules]) { self.rules = rules }
  package init(_ steps: [CompressionStep]) { rules = steps.map { CompressionRules(all: .init($0)) } }

  /// The steps for a weight, or why it stays as it is.
  func choice(for weight: CompressibleWeight) -> Result<ChosenSteps, Untouched> {
    if let pattern = skip.first(where: { pattern in (weight.names + weight.operators).contains { $0.matches(pattern) } }
    ) {
      return .failure(Untouched("skipped by '\(pattern)'"))
    }
    var chosen = ChosenSteps()
    for rules in rules {
      guard let rule = rules.rule(for: weight), let step = rule.step else { continue }
      let least = rule.minimumElements ?? minimumElements
      if weight.count < least { return .failure(Untouched("fewer than \(least) elements")) }
      if case .prune(let pruning) = step { chosen.pruning = pruning } else { chosen.form = step }
    }
    if chosen.pruning == nil, chosen.form == nil { return .failure(Untouched("no rule for it")) }
    return .success(chosen)
  }
}

/// What is done to one weight.
struct ChosenSteps {
  var pruning: Pruning?
  /// Anything but pruning.
  var form: CompressionStep?
}

/// Why a weight stays as it is.
struct Untouched: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

extension String {
  /// Whether the whole string is `pattern`, in which `*` stands for any characters and `?` for one.
  package func matches(_ pattern: String) -> Bool {
    let (text, glob) = (Array(unicodeScalars), Array(pattern.unicodeScalars))
    var (at, place, star, mark) = (0, 0, -1, 0)
    while at < text.count {
      if place < glob.count, glob[place] == "*" {
        (star, mark) = (place, at)
        place += 1
      } else if place < glob.count, glob[place] == "?" || glob[place] == text[at] {
        (at, place) = (at + 1, place + 1)
      } else if star >= 0 {
        mark += 1
        (place, at) = (star + 1, mark)
      } else {
        return false
      }
    }
    return glob[place...].allSatisfy { $0 == "*" }
  }
}
