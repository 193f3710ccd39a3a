import MLCCore

/// The optimizer that a Keras model is compiled with.
package struct KerasOptimizer: Hashable, Sendable {
  package enum Kind: Sendable { case sgd, adam, adamw }

  package let kind: Kind
  package let learningRate: Double
  /// Of `sgd`.
  package private(set) var momentum = 0.0
  /// Of `adam` and `adamw`; ε is added before the correction of what it is added to.
  package private(set) var beta1 = 0.9, beta2 = 0.999, epsilon = 1e-7
  /// Of the weight itself, apart from its gradient; `nil` for none.
  package let weightDecay: Double?
  /// The most that the norm of all gradients may be.
  package let clipNorm: Double?

  private static let kinds: [String: Kind] = [
    "SGD": .sgd, "sgd": .sgd, "Adam": .adam, "adam": .adam, "AdamW": .adamw, "adamw": .adamw,
  ]
  /// What does not change steps.
  private static let indifferent: Set<String> = [
    "name", "ema_momentum", "ema_overwrite_frequency", "is_legacy_optimizer", "jit_compile",
  ]
  private static let neutral: [String: [JSON]] = [
    "nesterov": [.bool(false)], "amsgrad": [.bool(false)], "use_ema": [.bool(false)],
    "decay": [.integer(0), .number(0)], "gradient_accumulation_steps": [.integer(1)],
    "loss_scale_factor": [.integer(1), .number(1)],
  ]

  /// Throws `keras.training` for what mlc has no equal for, other optimizers, rates that change, their variants among
  /// it; `keras.config`.
  init(_ json: JSON) throws(Diagnostic) {
    let (name, config) = try KerasTraining.part(json, "optimizer")
    // HDF5 files of Keras 2 call its own optimizers "Custom>Adam".
    let own = name.hasPrefix("Custom>") ? String(name.dropFirst(7)) : name
    guard let kind = KerasOptimizer.kinds[own] else { throw KerasTraining.refusal("the optimizer '\(name)'") }
    self.kind = kind
    // Before 2.3 it was called lr.
    let rate = config["learning_rate"] == nil && config["lr"] != nil ? "lr" : "learning_rate"
    // Numbers that are written as objects have classes such as "__numpy__".
    if case .object(let schedule)? = config[rate], case .string(let name)? = schedule["class_name"],
      !name.hasPrefix("__")
    {
      throw KerasTraining.refusal("the learning rate '\(name)', which changes,")
    }
    learningRate = try config.number(rate, default: kind == .sgd ? 0.01 : 0.001)
    weightDecay = try config.optionalNumber("weight_decay") ?? (kind == .adamw ? 0.004 : nil)
    clipNorm = try config.optionalNumber("global_clipnorm")
    var used: Set = [rate, "weight_decay", "global_clipnorm"]
    if kind == .sgd {
      momentum = try config.number("momentum", default: 0)
      used.insert("momentum")
    } else {
      beta1 = try config.number("beta_1", default: beta1)
      beta2 = try config.number("beta_2", default: beta2)
      epsilon = try config.number("epsilon", default: epsilon)
      used.formUnion(["beta_1", "beta_2", "epsilon"])
    }
    let other = used.union(KerasOptimizer.indifferent)
    try config.require(KerasOptimizer.neutral, besides: other, of: "the optimizer '\(name)'")
  }
}
