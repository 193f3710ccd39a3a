import MLCCompiler
import MLCCore

extension VerifySummary {
  var json: JSON {
    let found: [String: JSON] = [
      "passed": .bool(passed), "targets": .array(targets.map { .string($0) }),
      "tolerances": .array(
        VerificationResult.Basis.allCases.flatMap { basis in tolerances(basis).map { $0.json(basis) } }
      ),
      "sizes": .array(samples.sizes.map { .object($0.mapValues { .integer($0) }) }),
      "longest_reduction": .integer(longestReduction),
      "precision": precision.map { .string($0.rawValue) } ?? .null, "half": half.json,
      "results": .array(results.map { $0.json }),
      "not_run": .array(skipped.map { .object(["target": .string($0.target), "reason": .string($0.reason)]) }),
      "layers": .array(layers.map { $0.json }),
    ]
    return .object(found.merging(provenance.json) { first, _ in first })
  }
}

extension Comparison {
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

extension Tolerance {
  fileprivate func json(_ basis: VerificationResult.Basis) -> JSON {
    .object([
      "against": .string(basis.rawValue), "rtol": .number(relative), "atol": .number(absolute),
      "atol_in_rms": .bool(scalesWithTensor),
    ])
  }
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

extension LayerFinding {
  fileprivate var json: JSON {
    func known(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
    return .object([
      "target": .string(target), "node": known(culprit?.node), "op": known(culprit?.op), "value": known(culprit?.value),
      "out_of_tolerance": culprit.map { .bool(!$0.comparison.passed) } ?? .null,
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
