import Foundation
import MLCCompiler
import MLCCore

/// What a verification found, for reading.
struct VerifySummary {
  let provenance: Provenance
  let samples: Samples
  let longestReduction: Int
  let skipped: [(target: String, reason: String)]
  var results: [VerificationResult] = []
  var layers: [LayerFinding] = []
  /// Whether layers are code, compiled of the model for the search.
  var layersAreCompiled = true
  /// What tensors are stored in, and what a model compiled for the occasion keeps in fp32.
  var precision: DType?
  var half = PrecisionSummary()

  var passed: Bool { results.allSatisfy { $0.passed } }

  /// What is to be said of `finding` beside its numbers: of layers that are made of the model anew, and agree where the
  /// package does not, or of two models without a value in common.
  func remark(_ finding: LayerFinding) -> String? {
    if finding.layers.isEmpty { return "No value that operations compute is called alike in both models." }
    let isOfAnother =
      layersAreCompiled && finding.culprit == nil && finding.layers.allSatisfy { $0.comparison.passed }
      && results.contains { $0.target == finding.target && !$0.passed }
    return isOfAnother ? Self.ofAnother : nil
  }
  private static let ofAnother =
    "The layers are compiled from the model for this, and agree; the package does not. It was made of another model, "
    + "or by another version: compile it again."

  var text: ConsoleText {
    var parts: [ConsoleText] = facts.map { fact in
      "\(fact.name.padding(toLength: 7, withPad: " ", startingAt: 0)) \(fact.text)"
    }
    parts += ["", resultTable]
    for finding in layers {
      parts += ["", text(of: finding)]
      if let remark = remark(finding) { parts.append("\(remark)") }
    }
    let failures = results.filter { !$0.passed }
    for failure in failures {
      if let problem = failure.problem { parts.append("\(failure.target), \(failure.output): \(problem.message)") }
    }
    let verdict: ConsoleText =
      passed ? "every output agrees" : "\(failures.count) of \(results.count.of("comparison")) failed"
    parts += ["", "\(Console.verdict(passed)): \(verdict)"]
    return parts.joined(separator: "\n")
  }

  /// What the findings were made from, by what, where and when: the same in every report.
  var facts: [(name: String, text: String)] {
    var facts: [(name: String, text: String)] = [("model", provenance.model), ("data", "\(provenance.data)")]
    if let sizes = spelledSizes { facts.append(("sizes", sizes)) }
    for (name, type, domain) in samples.drawn { facts.append(("input", "\(name): \(type), \(domain)")) }
    if let precision { facts.append(("stored", "as \(precision.rawValue)")) }
    facts.append(("sums", "of up to \(longestReduction.of("term"))"))
    for basis in VerificationResult.Basis.allCases {
      guard let widest = tolerances(basis).max(by: { $0.relative < $1.relative }) else { continue }
      facts.append(("within", "\(widest.spelled) of the \(basis.noun)"))
    }
    facts.append(("targets", targets.joined(separator: ", ")))
    for (target, reason) in skipped { facts.append(("not run", "\(target): \(reason)")) }
    facts.append(("machine", provenance.machine))
    facts.append(("made by", provenance.maker))
    return facts
  }

  /// Those that were compared, each once.
  var targets: [String] {
    results.reduce(into: []) { names, result in if !names.contains(result.target) { names.append(result.target) } }
  }

  /// What was applied, each once.
  func tolerances(_ basis: VerificationResult.Basis) -> [Tolerance] {
    results.filter { $0.basis == basis }.compactMap { $0.comparison?.tolerance }
      .reduce(into: []) { all, tolerance in if !all.contains(tolerance) { all.append(tolerance) } }
  }

  /// `height=48 width=320`, of each case once; `nil` when no size is open.
  var spelledSizes: String? {
    var spelled: [String] = []
    for sizes in samples.sizes where !sizes.isEmpty {
      let text = sizes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      if !spelled.contains(text) { spelled.append(text) }
    }
    return spelled.isEmpty ? nil : spelled.joined(separator: ", ")
  }

  private var resultTable: ConsoleText {
    var table = Table(
      ["case", "target", "against", "output", "max abs", "max rel", "ULP", "SNR dB", "cosine", "argmax", ""],
      right: [4, 5, 6, 7, 8, 9]
    )
    for result in results {
      let head = [result.sample, result.target, result.basis.rawValue, result.output]
      guard let c = result.comparison else {
        table.add(head + ["", "", "", "", "", ""], ending: Console.verdict(false))
        continue
      }
      table.add(
        head + [
          c.maximumAbsoluteError.scientific, c.maximumRelativeError.scientific, c.maximumULP.map { "\($0)" } ?? "",
          c.decibels, c.cosine.fixed(6), c.argmaxAgreement.map { "\(($0 * 100).fixed(1))%" } ?? "",
        ],
        ending: Console.verdict(c.passed)
      )
    }
    return table.text
  }

  private func text(of finding: LayerFinding) -> ConsoleText {
    let header = ["\(finding.target): node", "operation", "value", "SNR dB", "max abs", ""]
    var table = Table(header, right: [3, 4], cut: [0, 2])
    for layer in finding.layers {
      table.add([
        layer.node ?? "", layer.op, layer.value, layer.comparison.decibels,
        layer.comparison.maximumAbsoluteError.scientific,
        finding.isCulprit(layer) ? "← the error jumps here" : "",
      ])
    }
    return table.text
  }
}

extension Comparison {
  /// Infinite without error.
  var decibels: String { signalToNoise.isInfinite ? (signalToNoise > 0 ? "exact" : "−∞") : signalToNoise.fixed(1) }
}

extension Tolerance {
  fileprivate var spelled: String {
    "\(relative.scientific) relative, \(absolute.scientific) absolute"
      + (scalesWithTensor ? ", times the root mean square where that is above 1," : "")
  }
}

extension VerificationResult.Basis {
  fileprivate var noun: String { self == .reference ? "reference" : "expected outputs" }
}
