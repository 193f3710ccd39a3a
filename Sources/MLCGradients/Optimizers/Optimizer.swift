import MLCCore
import MLCGraph
import MLCOps

/// How parameters follow from their gradients.
package protocol Optimizer: Sendable {
  /// What a step is called with.
  var hyperparameters: [Hyperparameter] { get }
  /// What is kept for each parameter from step to step, of its shape and zero at first.
  var moments: [String] { get }
  /// Whether a step needs to know how many there were.
  var countsSteps: Bool { get }
  var decay: WeightDecay { get }
  /// What the updates of all parameters share.
  func rates(_ step: OptimizerStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID]
  /// The parameter, to which `decay` has been applied, after the step, and its moments. `rates` are those that `rates`
  /// gives.
  func update(_ parameter: ParameterStep, _ step: OptimizerStep, _ rates: [Formula], _ writer: inout GraphWriter)
    throws(Diagnostic) -> [ValueID]
}

extension Optimizer {
  package var countsSteps: Bool { false }
  package func rates(_ step: OptimizerStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] { [] }
}

/// A number that may differ from step to step, a scalar of type float32. Named as Core ML's parameter keys are.
package struct Hyperparameter: Hashable, Sendable {
  package let name: String
  package let initial: Double
  package let range: ClosedRange<Double>

  package init(_ name: String, _ initial: Double, _ range: ClosedRange<Double>) {
    (self.name, self.initial, self.range) = (name, initial, range)
  }

  package static let learningRate = Hyperparameter("learningRate", 0.01, 0...Double.greatestFiniteMagnitude)
  package static let weightDecay = Hyperparameter("weightDecay", 0.01, 0...Double.greatestFiniteMagnitude)
  package static let clipNorm = Hyperparameter(
    "clipNorm",
    1,
    Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude
  )
}

/// What a step is called with.
package struct OptimizerStep: Sendable {
  let settings: [String: ValueID]
  /// The number of the step, 1 for the first, where steps are counted.
  let number: ValueID?

  package subscript(_ hyperparameter: Hyperparameter) -> Formula {
    guard let value = settings[hyperparameter.name] else { preconditionFailure("no \(hyperparameter.name)") }
    return .value(value)
  }
}

/// A parameter before a step, its gradient and its moments.
package struct ParameterStep: Sendable {
  package var value: Formula, gradient: Formula
  package let moments: [Formula]
}

/// What draws parameters toward 0, λ being `weightDecay`.
package enum WeightDecay: String, Sendable, CaseIterable {
  case none
  /// `g + λ·p` for the gradient g: that of `λ/2 · Σ p²` beside the loss.
  case gradient
  /// `p − η·λ·p` before the step. Source: Loshchilov, Hutter, "Decoupled weight decay regularization", ICLR 2019.
  case decoupled

  var hyperparameters: [Hyperparameter] { self == .none ? [] : [.weightDecay] }

  /// What an update takes in place of `parameter`.
  func applied(_ parameter: ParameterStep, _ step: OptimizerStep, _ writer: inout GraphWriter) throws(Diagnostic)
    -> ParameterStep
  {
    let (p, g) = (parameter.value, parameter.gradient)
    var decayed = parameter
    switch self {
    case .none: break
    case .gradient: decayed.gradient = .value(try writer.value(g + step[.weightDecay] * p))
    case .decoupled: decayed.value = p - step[.learningRate] * step[.weightDecay] * p
    }
    return decayed
  }
}
