import MLCCore

/// Something that runs a model: a compiled target, or the reference.
package struct Executor: Sendable {
  package let name: String
  package let run: @Sendable ([Tensor]) throws(Diagnostic) -> [Tensor]

  package init(_ name: String, run: @escaping @Sendable ([Tensor]) throws(Diagnostic) -> [Tensor]) {
    (self.name, self.run) = (name, run)
  }
}

/// Inputs of one run, and what somebody else says the outputs are.
package struct VerificationCase: Sendable {
  package var name: String
  package var inputs: [Tensor]
  /// One for each output that is known.
  package var expected: [Tensor?]

  package init(_ name: String, inputs: [Tensor], expected: [Tensor?] = []) {
    (self.name, self.inputs, self.expected) = (name, inputs, expected)
  }
}

/// How one output of one executor compares.
package struct VerificationResult: Sendable {
  package enum Basis: String, Sendable, CaseIterable { case reference, expected }
  package var sample: String, target: String, output: String
  package var basis: Basis
  /// `nil` when the tensors could not be compared; `problem` says why.
  package var comparison: Comparison?
  package var problem: Diagnostic?

  package var passed: Bool { comparison?.passed ?? false }
}

/// Plays cases on executors and compares each with the reference, and all with what is expected.
package struct Verification: Sendable {
  package var reference: Executor
  package var targets: [Executor]
  package var outputNames: [String]
  /// What the outputs of targets may differ by from the reference, by element type of the output.
  package var tolerance: @Sendable (DType) -> Tolerance
  /// What outputs may differ by from those given as expected.
  package var expectedTolerance: @Sendable (DType) -> Tolerance
  package var progress: @Sendable (String, Double) -> Void = { _, _ in }

  package init(
    reference: Executor,
    targets: [Executor],
    outputNames: [String],
    tolerance: @escaping @Sendable (DType) -> Tolerance,
    expectedTolerance: @escaping @Sendable (DType) -> Tolerance
  ) {
    (self.reference, self.targets, self.outputNames) = (reference, targets, outputNames)
    (self.tolerance, self.expectedTolerance) = (tolerance, expectedTolerance)
  }

  /// Throws what the reference throws; a problem of a target becomes a result.
  package func results(_ sample: VerificationCase) throws(Diagnostic) -> [VerificationResult] {
    progress("reference interpreter", 0)
    let truth = try reference.run(sample.inputs)
    var results: [VerificationResult] = []
    if !sample.expected.isEmpty { results += compare(reference.name, truth, with: sample, truth: nil) }
    for (number, target) in targets.enumerated() {
      progress(target.name, Double(number + 1) / Double(targets.count + 1))
      do throws(Diagnostic) {
        let outputs = try target.run(sample.inputs)
        results += compare(target.name, outputs, with: sample, truth: truth)
      } catch {
        let output = outputNames.first ?? ""
        results.append(
          VerificationResult(
            sample: sample.name,
            target: target.name,
            output: output,
            basis: .reference,
            problem: error
          )
        )
      }
    }
    return results
  }

  /// With `truth` against the reference; with expected outputs against these too.
  private func compare(
    _ target: String,
    _ outputs: [Tensor],
    with sample: VerificationCase,
    truth: [Tensor]?
  ) -> [VerificationResult] {
    var results: [VerificationResult] = []
    for (index, name) in outputNames.enumerated() where index < outputs.count {
      func add(_ basis: VerificationResult.Basis, _ wanted: Tensor, _ tolerance: Tolerance) {
        var result = VerificationResult(sample: sample.name, target: target, output: name, basis: basis)
        do throws(Diagnostic) {
          result.comparison = try Comparison(expected: wanted, actual: outputs[index], tolerance: tolerance)
        } catch { result.problem = error }
        results.append(result)
      }
      let dtype = outputs[index].dtype
      if let truth, index < truth.count { add(.reference, truth[index], tolerance(dtype)) }
      if index < sample.expected.count, let wanted = sample.expected[index] {
        add(.expected, wanted, expectedTolerance(dtype))
      }
    }
    return results
  }
}
