import MLCCore
import MLCGraph

/// Passes in phases, each phase repeated until it changes nothing.
///
/// After every pass that changed something constants are folded, equal operations merged, no-ops and dead code removed.
package struct PassPipeline: Sendable {
  package var passes: [any Pass]
  package init(_ passes: [any Pass]) { self.passes = passes }

  /// A phase is repeated at most this often: rewrites that undo each other end here.
  static let roundLimit = 12
  static let cleanup: [any Pass] = [
    FoldConstants(), RemoveNoOps(), EliminateCommonSubexpressions(), EliminateDeadCode(),
  ]

  /// Rewrites `function` in place. Throws `verify.*` when a pass breaks an invariant, located at that pass, and
  /// `budget.time`.
  @discardableResult
  package func run(_ function: inout Function, options: PassOptions = .init()) throws(Diagnostic) -> PassReport {
    var run = PipelineRun(options: options)
    try run.cleanUp(&function)
    for phase in Phase.allCases {
      let members = passes.filter { type(of: $0).phase == phase && !options.disabled.contains(type(of: $0).name) }
      for _ in 0..<PassPipeline.roundLimit where !members.isEmpty {
        var changed = false
        for pass in members where try run.apply(pass, to: &function) {
          changed = true
          try run.cleanUp(&function)
        }
        if !changed { break }
      }
    }
    try function.separateOutputs()
    function.compactValues()
    return run.report
  }
}

/// What a run of the pipeline does besides running the passes.
package struct PassOptions: Sendable {
  /// Names of passes to leave out.
  package var disabled: Set<String> = []
  /// What the constants that passes make, and the passes, may take.
  package var budget = Budget()
  /// Whether invariants are checked after every pass that changed something.
  package var verifies: Bool
  /// Called with a pass's name and what it made, after each run that changed something.
  package var afterPass: (@Sendable (String, Function) -> Void)?

  package init() {
    #if DEBUG
      verifies = true
    #else
      verifies = false
    #endif
  }
}

/// What each pass did, in the order of first runs.
package struct PassReport: Sendable {
  package struct Entry: Sendable {
    package var name: String, change: PassChange, runs: Int, seconds: Double
  }
  package private(set) var entries: [Entry] = []
  private var places: [String: Int] = [:]

  package init() {}

  mutating func record(_ name: String, _ change: PassChange, seconds: Double) {
    let place = places[name] ?? entries.count
    if place == entries.count {
      places[name] = place
      entries.append(Entry(name: name, change: .init(), runs: 0, seconds: 0))
    }
    entries[place].change += change
    entries[place].runs += 1
    entries[place].seconds += seconds
  }
}

private struct PipelineRun {
  let options: PassOptions
  var report = PassReport()

  init(options: PassOptions) { self.options = options }

  mutating func cleanUp(_ function: inout Function) throws(Diagnostic) {
    for _ in 0..<PassPipeline.roundLimit {
      var changed = false
      for pass in PassPipeline.cleanup where !options.disabled.contains(type(of: pass).name) {
        if try apply(pass, to: &function), !(pass is EliminateDeadCode) { changed = true }
      }
      if !changed { return }
    }
  }

  /// Whether the pass changed anything.
  mutating func apply(_ pass: any Pass, to function: inout Function) throws(Diagnostic) -> Bool {
    let name = type(of: pass).name
    let clock = ContinuousClock()
    let start = clock.now
    let change = try pass.run(&function, under: options.budget)
    let time = (clock.now - start).components
    report.record(name, change, seconds: Double(time.seconds) + Double(time.attoseconds) * 1e-18)
    guard !change.isEmpty else { return false }
    if options.verifies {
      let result = function
      try locating(Location(pass: name)) { () throws(Diagnostic) in try result.verify() }
    }
    options.afterPass?(name, function)
    return true
  }
}

extension PassPipeline {
  /// The passes of a compilation, those that clean up first.
  package static var all: [any Pass] { cleanup + standard.passes }
  /// What they are called.
  package static var names: [String] { all.map { type(of: $0).name } }
}
