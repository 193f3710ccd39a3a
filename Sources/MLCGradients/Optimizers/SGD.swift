import MLCCore
import MLCGraph
import MLCOps

/// Stochastic gradient descent: `p ← p − η·g`; with momentum μ `v ← μ·v + g`, `p ← p − η·v`.
///
/// η is `learningRate`, μ `momentum`, v zero at first. Defaults are those of Core ML's `SGDOptimizer` as coremltools
/// writes it. Source: Core ML `SGDOptimizer`, PyTorch `SGD`; Keras keeps η·v, which is the same for an η that does not
/// change.
package struct SGD: Optimizer {
  package var usesMomentum: Bool
  package var decay: WeightDecay

  package static let momentum = Hyperparameter("momentum", 0, 0...1)

  package init(momentum: Bool, decay: WeightDecay = .none) { (usesMomentum, self.decay) = (momentum, decay) }

  package var hyperparameters: [Hyperparameter] {
    [.learningRate] + (usesMomentum ? [SGD.momentum] : []) + decay.hyperparameters
  }
  package var moments: [String] { usesMomentum ? ["momentum"] : [] }

  package func update(
    _ parameter: ParameterStep,
    _ step: OptimizerStep,
    _ rates: [Formula],
    _ writer: inout GraphWriter
  ) throws(Diagnostic) -> [ValueID] {
    let (p, g) = (parameter.value, parameter.gradient)
    guard usesMomentum else { return [try writer.value(p - step[.learningRate] * g)] }
    let v = try writer.value(step[SGD.momentum] * parameter.moments[0] + g)
    return [try writer.value(p - step[.learningRate] * .value(v)), v]
  }
}
