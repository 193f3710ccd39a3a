import MLCCore
import MLCGradients
import MLCGraph
import MLCTraining

/// How a compiled model is to learn where it runs: by options of `mlc compile`, or by `learning` in `mlc.json`.
struct UpdatableRequest {
  var recipe = RecipeRequest()
  /// Patterns of names.
  var trainable: [String] = []
  var respectsTrainable = false
  var target = "target"
  /// Whether cross-entropy takes a probability for each class.
  var hasSoftTargets = false
  /// Epochs, examples a step and their order.
  var plan = TrainingPlan()

  /// Refuses before the model at `path` is read what `applied` would refuse whatever it is.
  func check(_ path: String) throws(Diagnostic) {
    _ = try TrainingWish(path, recipe, respectsTrainable: respectsTrainable)
  }

  /// `source` with what it learns as parameters, and with the functions that updates call. Throws as `learning` does.
  func applied(to source: ModelSource) throws(Diagnostic) -> ModelSource {
    let learning = try learning(of: source)
    TrainingSummary.note(expanded: learning.expanded)
    var result = source
    result.program = learning.program
    return result
  }

  /// Throws `update.…`, `gradient.…`, `graph.long-name` and `graph.repeated-name`.
  func learning(of source: ModelSource) throws(Diagnostic) -> RequestedLearning {
    let wish = try TrainingWish(source.path, recipe, respectsTrainable: respectsTrainable)
    let chosen = wish.recipe
    let isCrossEntropy = chosen.loss.name == .crossEntropy
    if hasSoftTargets, !isCrossEntropy {
      let message = "--soft-targets is of cross-entropy, and the loss is \(chosen.loss.name.rawValue)"
      throw Diagnostic("update.setting", message, kind: .usage)
    }
    return try locating(Location(file: source.path)) { () throws(Diagnostic) in
      let main = source.program.main
      let labels = isCrossEntropy && !hasSoftTargets ? main.labels(of: chosen.loss.output) : nil
      let takesClasses = isCrossEntropy && !hasSoftTargets && labels == nil
      var options = try chosen.options(for: main, integerTargets: takesClasses)
      // What a step keeps of the last one is a setting of updates, 0 or not.
      options.optimizer = chosen.optimizer.optimizer(alwaysWithMomentum: true)
      var plan = plan
      plan.settings = chosen.optimizer.settings
      var request = LearningRequest(
        try main.trainable(trainable, of: wish.file),
        options,
        chosen.loss.name.learning,
        chosen.optimizer.name.learning,
        plan
      )
      (request.target, request.labels) = (target, labels)
      let learning = try source.program.learning(by: request)
      try ModelSource.checkNames(of: learning.program, source.path)
      return learning
    }
  }
}

extension Function {
  /// The labels that a classifier has for its scores, where those are the output that is trained, one for each.
  fileprivate func labels(of output: String?) -> ClassLabels? {
    guard let scores = features.classifier?.probabilities, output == nil || output == scores,
      let place = outputNames.firstIndex(of: scores), let labels = features.classLabels,
      type(outputs[place]).staticShape?.checkedProduct == labels.count
    else { return nil }
    return labels
  }
}

extension LossName {
  fileprivate var learning: Learning.Network.Loss {
    switch self {
    case .crossEntropy: .crossEntropy
    case .binaryCrossEntropy: .binaryCrossEntropy
    case .mse: .meanSquaredError
    }
  }
}

extension OptimizerName {
  fileprivate var learning: Learning.Network.Optimizer {
    switch self {
    case .sgd: .sgd
    case .adam: .adam
    case .adamw: .adamw
    }
  }
}
