import MLCCore
import MLCGradients
import MLCGraph

/// How a model is to learn where it runs that does not say so itself.
package struct LearningRequest: Sendable {
  /// The names of the weights that learn.
  package var weights: Set<String>
  /// The loss, the optimizer, and the output that targets are compared with. The statistics of batches are the model's.
  package var options: TrainingStep.Options
  /// What packages call the loss and the optimizer, whose settings a step takes.
  package var loss: Learning.Network.Loss, optimizer: Learning.Network.Optimizer
  /// Defaults of an update: epochs, examples a step, order and hyperparameters. Of those that are no settings of the
  /// optimizer the values are part of a step.
  package var plan: TrainingPlan
  /// What holds an example's target.
  package var target = "target"
  /// Where they are given a target is the label of a class.
  package var labels: ClassLabels?

  package init(
    _ weights: Set<String>,
    _ options: TrainingStep.Options,
    _ loss: Learning.Network.Loss,
    _ optimizer: Learning.Network.Optimizer,
    _ plan: TrainingPlan
  ) {
    (self.weights, self.options, self.loss, self.optimizer) = (weights, options, loss, optimizer)
    self.plan = plan
  }

  /// What an update may set. Throws `update.setting`.
  func settings() throws(Diagnostic) -> [Learning.Setting] {
    var settings: [Learning.Setting] = []
    for (parameter, value) in zip(options.hyperparameters, try plan.values(of: options.hyperparameters)) {
      guard let key = Learning.Setting.Key(rawValue: parameter.name), optimizer.settings.contains(key) else { continue }
      settings.append(Learning.Setting(key, value, .range(parameter.range)))
    }
    let counts = 1...Double(Int32.max)
    settings += [
      Learning.Setting(.miniBatchSize, Double(plan.batchSize ?? TrainingPlan.usualBatchSize), .range(counts)),
      Learning.Setting(.epochs, Double(plan.epochs), .range(counts)),
      Learning.Setting(.shuffle, plan.shuffles ? 1 : 0, .values([0, 1])),
      Learning.Setting(.seed, Double(plan.seed), .range(0...Double(Int32.max))),
    ]
    for setting in settings where !setting.allowed.contains(setting.value) {
      let value = Learning.Setting.spelled(setting.value)
      let message = "\(setting.key.rawValue) \(value) is not within \(setting.allowed)"
      throw Diagnostic("update.setting", message, kind: .usage)
    }
    return settings
  }

  /// The hyperparameters that are part of a step. Throws `update.setting`.
  func fixed() throws(Diagnostic) -> [String: Double] {
    let values = try plan.values(of: options.hyperparameters)
    let named = zip(options.hyperparameters, values).map { ($0.name, $1) }
    let own = Set(optimizer.settings.map { $0.rawValue })
    return Dictionary(named.filter { !own.contains($0.0) }) { first, _ in first }
  }

  /// What an example's target is, compared with a prediction of this type. Throws `gradient.loss`.
  func target(of prediction: TensorType) throws(Diagnostic) -> LearningSource.Target {
    if let labels { return .label(labels) }
    let shape = try options.loss.target(of: prediction).shape
    if case .classes = options.loss.targetElements(of: prediction) { return .classNumbers(shape) }
    return .numbers(shape)
  }
}
