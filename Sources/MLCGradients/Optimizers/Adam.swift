import MLCCore
import MLCGraph
import MLCOps

/// Adam: with t the number of the step, 1 for the first,
/// `m ← β₁·m + (1 − β₁)·g`, `v ← β₂·v + (1 − β₂)·g²`, `p ← p − η/(1 − β₁ᵗ) · m / (√(v/(1 − β₂ᵗ)) + ε)`.
///
/// η is `learningRate`, β₁ `beta1`, β₂ `beta2`, ε `eps`; m and v are zero at first. With decoupled weight decay this is
/// AdamW. Where ε is raw it is added before the correction: `√v + ε` over `√(1 − β₂ᵗ)`. Defaults are those of Core ML's
/// `AdamOptimizer` as coremltools writes it. Source: Kingma, Ba, "Adam: a method for stochastic optimization", ICLR
/// 2015, algorithm 1; Core ML `AdamOptimizer`, PyTorch `Adam` and `AdamW`.
package struct Adam: Optimizer {
  /// What ε is added to.
  package enum Epsilon: String, Sendable, CaseIterable {
    /// `√(v/(1 − β₂ᵗ))`, as PyTorch has it.
    case corrected
    /// `√v`, as Keras has it: the ε̂ of the article.
    case raw
  }

  package var decay: WeightDecay
  package var epsilon: Epsilon

  package static let beta1 = Hyperparameter("beta1", 0.9, 0...1)
  package static let beta2 = Hyperparameter("beta2", 0.999, 0...1)
  package static let epsilon = Hyperparameter("eps", 1e-8, 0...Double.greatestFiniteMagnitude)

  package init(decay: WeightDecay = .none, epsilon: Epsilon = .corrected) {
    (self.decay, self.epsilon) = (decay, epsilon)
  }

  package var hyperparameters: [Hyperparameter] {
    [.learningRate, Adam.beta1, Adam.beta2, Adam.epsilon] + decay.hyperparameters
  }
  package let moments = ["first_moment", "second_moment"]
  package let countsSteps = true

  /// `η/(1 − β₁ᵗ)` and `1 − β₂ᵗ`.
  package func rates(_ step: OptimizerStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    guard let number = step.number else { preconditionFailure("steps are not counted") }
    let t = Formula.value(number)
    return [
      try writer.value(step[.learningRate] / (1 - step[Adam.beta1].power(t))),
      try writer.value(1 - step[Adam.beta2].power(t)),
    ]
  }

  package func update(
    _ parameter: ParameterStep,
    _ step: OptimizerStep,
    _ rates: [Formula],
    _ writer: inout GraphWriter
  ) throws(Diagnostic) -> [ValueID] {
    let (p, g) = (parameter.value, parameter.gradient)
    let (beta1, beta2) = (step[Adam.beta1], step[Adam.beta2])
    let m = try writer.value(beta1 * parameter.moments[0] + (1 - beta1) * g)
    let v = try writer.value(beta2 * parameter.moments[1] + (1 - beta2) * g.squared)
    let scale =
      switch epsilon {
      case .corrected: (.value(v) / rates[1]).root + step[Adam.epsilon]
      case .raw: (Formula.value(v).root + step[Adam.epsilon]) / rates[1].root
      }
    return [try writer.value(p - rates[0] * .value(m) / scale), m, v]
  }
}
