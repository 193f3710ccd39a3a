import MLCCompiler
import MLCCore

/// What a verification found, for reading.
struct VerifySummary {
  struct LayerFinding {
    var target: String, layers: [LayerSearch.Layer], culprit: LayerSearch.Layer?
  }
  let model: String
  let samples: Samples
  let longestReduction: Int
  let skipped: [(target: String, reason: String)]
  var results: [VerificationResult] = []
  var layers: [LayerFinding] = []
  /// What tensors are stored in, and what a model compiled for the occasion keeps in fp32.
  var precision: DType?
  var half = PrecisionSummary()

  var passed: Bool { results.allSatisfy { $0.passed } }

  var text: ConsoleText {
    var parts: [ConsoleText] = []
    if let sizes = spelledSizes { parts.append("sizes   \(sizes)") }
    for (name, type, domain) in samples.drawn { parts.append("input   \(name): \(type), \(domain)") }
    if let precision { parts.append("stored  as \(precision.rawValue)") }
    parts.append("sums    of up to \(longestReduction.of("term"))")
    for basis in [VerificationResult.Basis.reference, .expected] {
      let tolerances = results.filter { $0.basis == basis }.compactMap { $0.comparison?.tolerance }
      guard let widest = tolerances.max(by: { $0.relative < $1.relative }) else { continue }
      let (relative, absolute) = (widest.relative.scientific, widest.absolute.scientific)
      parts.append("within  \(relative) relative, \(absolute) absolute of the \(basis.noun)")
    }
    parts += skipped.map { "not run \($0.target): \($0.reason)" }
    parts += ["", resultTable]
    for finding in layers { parts += ["", text(of: finding)] }
    let failures = results.filter { !$0.passed }
    for failure in failures {
      if let problem = failure.problem { parts.append("\(failure.target), \(failure.output): \(problem.message)") }
    }
    let verdict: ConsoleText =
      passed ? "every output agrees" : "\(failures.count) of \(results.count.of("comparison")) failed"
    parts += ["", "\(Console.verdict(passed)): \(verdict)"]
    return parts.joined(separator: "\n")
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
    var table = Table(["\(finding.target): node", "operation", "value", "SNR dB", "max abs", ""], right: [3, 4])
    for layer in finding.layers {
      table.add([
        layer.node ?? "", layer.op, layer.value, layer.comparison.decibels,
        layer.comparison.maximumAbsoluteError.scientific,
        layer.position == finding.culprit?.position ? "← the error jumps here" : "",
      ])
    }
    return table.text
  }

  var json: JSON {
    .object([
      "model": .string(model), "passed": .bool(passed),
      "sizes": .array(samples.sizes.map { .object($0.mapValues { .integer($0) }) }),
      "longest_reduction": .integer(longestReduction),
      "precision": precision.map { .string($0.rawValue) } ?? .null, "half": half.json,
      "results": .array(results.map { $0.json }),
      "not_run": .array(skipped.map { .object(["target": .string($0.target), "reason": .string($0.reason)]) }),
      "layers": .array(layers.map { $0.json }),
    ])
  }
}

extension Comparison {
  /// Infinite without error.
  var decibels: String { signalToNoise.isInfinite ? (signalToNoise > 0 ? "exact" : "−∞") : signalToNoise.fixed(1) }

  /// `snr_db` is `null` without error; then `max_abs` is 0.
  var json: [String: JSON] {
    [
      "passed": .bool(passed), "count": .integer(count), "failures": .integer(failures),
      "max_abs": .number(maximumAbsoluteError), "max_rel": .number(maximumRelativeError),
      "max_ulp": maximumULP.flatMap { Int(exactly: $0) }.map { .integer($0) } ?? .null,
      "snr_db": .rounded(signalToNoise, 3), "cosine": .number(cosine),
      "argmax": argmaxAgreement.map { .number($0) } ?? .null,
      "rtol": .number(tolerance.relative), "atol": .number(tolerance.absolute),
    ]
  }
}

extension VerificationResult.Basis {
  fileprivate var noun: String { self == .reference ? "reference" : "expected outputs" }
}

extension VerificationResult {
  fileprivate var json: JSON {
    var members: [String: JSON] = [
      "case": .string(sample), "target": .string(target), "against": .string(basis.rawValue), "output": .string(output),
      "passed": .bool(passed), "problem": problem.map { .string($0.message) } ?? .null,
    ]
    if let comparison { members.merge(comparison.json) { first, _ in first } }
    return .object(members)
  }
}

extension VerifySummary.LayerFinding {
  fileprivate var json: JSON {
    func known(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    return .object([
      "target": .string(target), "node": known(culprit?.node), "op": known(culprit?.op), "value": known(culprit?.value),
      "measured": .array(
        layers.map { layer in
          .object([
            "node": known(layer.node), "op": .string(layer.op), "value": .string(layer.value),
            "snr_db": .rounded(layer.comparison.signalToNoise, 3),
            "max_abs": .number(layer.comparison.maximumAbsoluteError),
          ])
        }
      ),
    ])
  }
}
