import MLCCore
import MLCGradients
import MLCGraph
import MLCImportKeras
import MLCTraining

/// How a model is trained as its file says.
struct FileTraining {
  /// The names of the weights that learn.
  let weights: Set<String>
  /// `nil` where the command line names another.
  let loss: LossChoice?, optimizer: OptimizerChoice?

  /// Of a Keras model; what `request` names is not looked at. Throws `update.respect-trainable` for other models, and
  /// what `KerasTraining` throws.
  init(keras path: String, besides request: RecipeRequest) throws(Diagnostic) {
    guard try PathKind(path) == .source(.keras) else {
      let message = "--respect-trainable is for Keras models, whose files say which layers learn, and how"
      throw Diagnostic("update.respect-trainable", message, kind: .usage, at: Location(file: path))
    }
    let training = try KerasTraining.read(path)
    weights = training.weights
    (loss, optimizer) = try locating(Location(file: path)) { () throws(Diagnostic) in
      (
        request.loss == nil ? LossChoice(try training.loss()) : nil,
        request.optimizer == nil ? OptimizerChoice(try training.optimizer()) : nil
      )
    }
  }
}

extension Function {
  /// The names of the weights that `patterns` name, else of those that `file` says learn. Throws `update.trainable`.
  func trainable(_ patterns: [String], of file: FileTraining?) throws(Diagnostic) -> Set<String> {
    try trainable(patterns, among: patterns.isEmpty ? file?.weights : nil)
  }
}

extension LossChoice {
  fileprivate init(_ loss: KerasLoss) {
    let name: LossName =
      switch loss.kind {
      case .crossEntropy: .crossEntropy
      case .binaryCrossEntropy: .binaryCrossEntropy
      case .meanSquaredError: .mse
      }
    self.init(name, output: loss.output, said: loss.isOfLogits ? .logits : .probabilities)
  }
}

extension OptimizerChoice {
  fileprivate init(_ optimizer: KerasOptimizer) {
    switch optimizer.kind {
    case .sgd:
      self.init(.sgd)
      if optimizer.momentum != 0 { settings["momentum"] = optimizer.momentum }
    case .adam, .adamw:
      self.init(optimizer.kind == .adam ? .adam : .adamw)
      (settings["beta1"], settings["beta2"]) = (optimizer.beta1, optimizer.beta2)
      settings["eps"] = optimizer.epsilon
    }
    isOfKeras = true
    settings["learningRate"] = optimizer.learningRate
    settings["weightDecay"] = optimizer.weightDecay
    settings["clipNorm"] = optimizer.clipNorm
  }
}
