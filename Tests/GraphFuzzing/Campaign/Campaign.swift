import MLCCompiler
import MLCCore
import MLCKernels

/// Graphs on every device, each played by the judge.
package struct Campaign: Sendable {
  private let judge: GraphJudge
  package let devices: [DeviceDescription]

  /// Those that this machine is, and the narrower ones with weights laid out for the widest.
  package static let layouts =
    DeviceSet.here + DeviceSet.here.sharingWeights.filter { $0.packedLanes ?? 0 > $0.lanes }

  package init(_ judge: GraphJudge, devices: [DeviceDescription] = Campaign.layouts) {
    (self.judge, self.devices) = (judge, devices)
  }

  /// What became of `item` on `device`. A failing case is reported by the smallest one found that fails as it does,
  /// where `shrinks` tries are allowed.
  package func play(
    _ item: GraphCase,
    on device: DeviceDescription,
    references: GraphJudge.References? = nil,
    shrinks: Int = 0
  ) -> Entry {
    entry(item, on: device, judge.verdict(item, on: device, references: references), shrinks)
  }

  /// What became of each of `items` on `device`, built as one where they agree.
  package func play(_ items: [GraphCase], on device: DeviceDescription, shrinks: Int = 0) -> [Entry] {
    zip(items, judge.verdicts(items, on: device)).map { entry($0, on: device, $1, shrinks) }
  }

  private func entry(_ item: GraphCase, on device: DeviceDescription, _ verdict: Verdict, _ shrinks: Int) -> Entry {
    switch verdict {
    case .agrees: return Entry(item, device, .agrees)
    case .meaningless: return Entry(item, device, .meaningless)
    case .refused(let diagnostic):
      if Refusals.reasons[diagnostic.id.rawValue] != nil {
        return Entry(item, device, .refused(diagnostic.id.rawValue))
      }
      let finding = Finding(.compiler, "refused without a listed reason: \(diagnostic) \(diagnostic.notes.prefix(3))")
      return Entry(item, device, .wrong(finding.kind), finding)
    case .wrong(let finding):
      guard shrinks > 0, finding.kind != .time else { return Entry(item, device, .wrong(finding.kind), finding) }
      var last = finding
      var shrinker = GraphShrinker(tries: shrinks) { candidate in
        guard case .wrong(let other) = judge.verdict(candidate, on: device), other.kind == finding.kind else {
          return false
        }
        last = other
        return true
      }
      let smallest = shrinker.shrink(item)
      return Entry(smallest, device, .wrong(finding.kind), last)
    }
  }
}

extension Campaign {
  /// What became of `item` on every device; the reference runs once.
  package func play(_ item: GraphCase, shrinks: Int = 0) -> [Entry] {
    let references = try? judge.references(item)
    return devices.map { play(item, on: $0, references: references, shrinks: shrinks) }
  }
}

/// What became of one graph on one device.
package struct Entry: Sendable, Codable {
  package enum Outcome: Sendable, Codable, Hashable {
    case agrees, meaningless
    case refused(String)
    case wrong(Finding.Kind)
  }
  package var label: String
  package var device: String
  package var outcome: Outcome
  /// What is wrong, with the program; empty when nothing is.
  package var report = ""
  /// What is in the graph.
  package var kinds: Set<String> = []

  package init(_ label: String, device: String, trap: String) {
    (self.label, self.device, outcome, report) = (label, device, .wrong(.trap), "trap on \(device), \(label): \(trap)")
  }

  init(_ item: GraphCase, _ device: DeviceDescription, _ outcome: Outcome, _ finding: Finding? = nil) {
    (label, self.outcome, kinds) = (item.label, outcome, item.kinds)
    self.device = device.packedLanes.map { "\(device.name) in strips of \($0)" } ?? device.name
    guard let finding else { return }
    let inputs = item.runs.map { run in run.map { "\($0.shape)" }.joined(separator: " ") }.joined(separator: "; ")
    let head = "\(finding.kind.rawValue) on \(self.device), \(item.label): \(finding.detail)"
    report = "\(head)\ninputs \(inputs)\n\(item.text)"
  }
}

/// What became of many graphs.
package struct CampaignReport: Sendable {
  package private(set) var counts: [Entry.Outcome: Int] = [:]
  package private(set) var wrong: [Entry] = []
  /// How many of each kind were played, and how many agree.
  package private(set) var kinds: [String: (played: Int, agree: Int)] = [:]

  package init() {}

  package var played: Int { counts.values.reduce(0, +) }
  package func count(_ outcome: Entry.Outcome) -> Int { counts[outcome, default: 0] }

  package mutating func add(_ entry: Entry) {
    counts[entry.outcome, default: 0] += 1
    for kind in entry.kinds {
      kinds[kind, default: (0, 0)].played += 1
      if entry.outcome == .agrees { kinds[kind]?.agree += 1 }
    }
    if case .wrong = entry.outcome { wrong.append(entry) }
  }

  /// One line: `3000 played: 2900 agree, 80 refused by target.strategy, 20 wrong (memory)`.
  package var summary: String {
    let parts = counts.map { outcome, count in
      switch outcome {
      case .agrees: "\(count) agree"
      case .meaningless: "\(count) have no meaning"
      case .refused(let id): "\(count) refused by \(id)"
      case .wrong(let kind): "\(count) WRONG (\(kind.rawValue))"
      }
    }
    return "\(played) played: \(parts.sorted().joined(separator: ", "))"
  }

  /// A line a kind: `conv 2-D in groups: 512 of 514 agree`.
  package var kindTable: String {
    kinds.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.agree) of \($0.value.played) agree" }
      .joined(separator: "\n")
  }
}
