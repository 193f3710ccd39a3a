import MLCCore
import MLCGraph

/// How a Core ML package is written.
package struct CoreMLWriteOptions: Sendable {
  /// The oldest system that shall load the package; operators of later systems are not used.
  package enum DeploymentTarget: Int, Sendable, CaseIterable, Comparable {
    case iOS15 = 6
    case iOS16, iOS17, iOS18

    package init?(_ name: String) {
      guard let match = Self.allCases.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
      self = match
    }

    package var name: String { "iOS\(rawValue + 9)" }
    /// `Model.specificationVersion`.
    var specificationVersion: Int32 { Int32(rawValue) }
    /// The name of the operator set in the program.
    var opset: String { "CoreML\(rawValue - 1)" }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// When `nil`, the oldest system that has the program's compressed constants.
  package var minimumDeploymentTarget: DeploymentTarget?
  /// Whether nothing is written that Apple's loader would refuse.
  package var isStrict: Bool

  package init(minimumDeploymentTarget: DeploymentTarget? = nil, isStrict: Bool = false) {
    (self.minimumDeploymentTarget, self.isStrict) = (minimumDeploymentTarget, isStrict)
  }
}

/// What the user should know of a package that was written.
package struct CoreMLReport: Sendable {
  /// Something that Apple's loader does not take; mlc reads it back all the same.
  package struct Refusal: Hashable, Sendable {
    /// The operator, or `constant`, `input`, `output`.
    package var op: String
    /// The user's nodes.
    package var nodes: [String]
    package var reason: String
    /// What the user can do about it.
    package var advice: String
  }

  package internal(set) var refusals: [Refusal] = []
  /// Types that became narrower and names that changed, one sentence each.
  package internal(set) var notes: [String] = []
  /// Bytes of weights written.
  package internal(set) var weightBytes = 0
  /// What the package was written for.
  package internal(set) var deploymentTarget = CoreMLWriteOptions.DeploymentTarget.iOS15

  /// One row per operator and reason, however many nodes have it.
  mutating func refuse(_ op: String, node: String, _ reason: String, advice: String) {
    if let row = refusals.firstIndex(where: { $0.op == op && $0.reason == reason }) {
      refusals[row].nodes.append(node)
    } else {
      refusals.append(Refusal(op: op, nodes: [node], reason: reason, advice: advice))
    }
  }

  /// What is refused as one error, with a note a row; `nil` when nothing is.
  var refusal: Diagnostic? {
    if refusals.isEmpty { return nil }
    let notes = refusals.map { row in
      let nodes = row.nodes.prefix(4).map { $0.shown() }.joined(separator: ", ") + (row.nodes.count > 4 ? ", …" : "")
      return "\(row.op) ×\(row.nodes.count) (\(nodes)): \(row.reason); \(row.advice)"
    }
    return Diagnostic("coreml.refused", "Apple's loader would refuse this package", kind: .unsupported, notes: notes)
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }
}
