import Foundation
import Testing

/// Every id that the sources spell is provoked by a test, and `mlc explain` finds it.
@Suite struct CompletenessTests {
  /// Ids that no test can provoke, each with the reason.
  private static let unprovoked: [String: String] = [
    "coreml.too-large": "takes a program of 2 GiB besides its weights",
    "graph.unknown-extent": "shapes of known operands are known: a guard against an operator that infers wrongly",
    "target.attention-operands": "stands in a note of target.strategy",
    "target.attention-shape": "stands in a note of target.strategy",
    "target.host": "every machine that builds mlc runs the baseline",
    "verify.feature": "a pass that changes what an input is would be a bug of mlc's",
    "verify.parameter": "a pass that drops an input of a parameter would be a bug of mlc's",
    "verify.state": "a pass that drops an input of a state would be a bug of mlc's",
    "while_loop.iterations": "2³¹ rounds of the reference take hours",
    "out-of-memory": "the scanner's own allocations are small",
  ]

  /// Every id in an assertion: those of `Rejection.all`, and those that test functions elsewhere spell.
  private func asserted(_ ids: some Sequence<String>) throws -> Set<String> {
    var found = Set(Rejection.all.map { $0.id })
    // Labels of operator cases look like ids.
    let functions = try DiagnosticIDs.swiftFiles("Tests").filter {
      !$0.path.contains("/ErrorTests/") && !$0.path.contains("/OperatorSuite/Cases/")
    }.flatMap { $0.text.components(separatedBy: "@Test").dropFirst() }
    for id in ids where !found.contains(id) {
      if functions.contains(where: { $0.contains("\"\(id)\"") || $0.contains("[\(id)]") }) { found.insert(id) }
    }
    return found
  }

  @Test func everyIDIsProvoked() throws {
    let source = try DiagnosticIDs()
    #expect(source.ids.count > 200 && source.problems.count > 20)
    let found = try asserted(source.ids.keys)
    var missing = source.ids.filter { !found.contains($0.key) && Self.unprovoked[$0.key] == nil }.map {
      "\($0.key) in \($0.value)"
    }
    for (problem, path) in source.problems where Self.unprovoked[problem] == nil {
      if !found.contains(where: { $0.hasSuffix(".\(problem)") }) { missing.append("*.\(problem) in \(path)") }
    }
    #expect(missing.isEmpty, "no test provokes\n\(missing.sorted().joined(separator: "\n"))")
    let stale = Self.unprovoked.keys.filter { found.contains($0) || (source.ids[$0] ?? source.problems[$0]) == nil }
    #expect(stale.isEmpty, "these need no reason: \(stale.sorted())")
  }

  /// `Rejection.all` holds no id that the product does not emit.
  @Test func noRowIsStale() throws {
    let source = try DiagnosticIDs()
    let stale = Rejection.all.map { $0.id }.filter { id in
      source.ids[id] == nil && source.problems[String(id.drop { $0 != "." }.dropFirst())] == nil
        && !Self.parameters.contains(String(id.drop { $0 != "." }.dropFirst()))
    }
    #expect(stale.isEmpty)
  }

  /// Problems that are named after a parameter of the operator.
  private static let parameters: Set<String> = [
    "strides", "dilations", "pad", "bias", "gamma", "beta", "mean", "variance", "peephole",
  ]

  @Test func everyIDIsExplained() throws {
    let source = try DiagnosticIDs()
    let emitted = Set(source.ids.keys).union(Rejection.all.map { $0.id }).filter { !$0.hasPrefix("test.") }
    let unexplained = try emitted.sorted().filter { try !isExplained($0) }
    #expect(unexplained.isEmpty, "'mlc explain' does not know\n\(unexplained.joined(separator: "\n"))")
  }

  private func isExplained(_ id: String) throws -> Bool {
    let process = Process()
    #if DEBUG
      process.executableURL = DiagnosticIDs.root.appending(path: ".build/debug/mlc")
    #else
      process.executableURL = DiagnosticIDs.root.appending(path: ".build/release/mlc")
    #endif
    process.arguments = ["explain", id]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
