import MLCCore
import MLCGradients
import MLCGraph
import MLCOps

/// What is made small, and how.
struct LearningRecipe {
  let loss: LossChoice
  let optimizer: OptimizerChoice
  let batchStatistics: BatchStatistics?

  /// `integerTargets` says whether the targets are numbers of classes. Of a classifier's outputs the scores are
  /// trained unless another is named. Throws `update.scores`.
  func options(for function: Function, integerTargets: Bool) throws(Diagnostic) -> TrainingStep.Options {
    let output = loss.output ?? function.features.classifier?.probabilities
    let place = output.flatMap { function.outputNames.firstIndex(of: $0) } ?? 0
    let maker = function.body.operations.first { $0.outputs.contains(function.outputs[place]) }?.op
    let scores = try loss.scores(madeBy: maker)
    let made: any Loss =
      switch loss.name {
      case .crossEntropy: CategoricalCrossEntropy(scores, targets: integerTargets ? .classes : .probabilities)
      case .binaryCrossEntropy: BinaryCrossEntropy(scores)
      case .mse: MeanSquaredError()
      }
    var options = TrainingStep.Options(made, optimizer.optimizer())
    options.clips = optimizer.settings["clipNorm"] != nil
    (options.output, options.batchStatistics) = (output, batchStatistics)
    return options
  }
}

/// A loss, and the output that it is of; the model decides when `nil`.
struct LossChoice {
  let name: LossName
  var output: String?
  /// What a file says that the output consists of; the model itself says it when `nil`.
  let said: ClassScores?

  init(_ name: LossName, output: String? = nil, said: ClassScores? = nil) {
    (self.name, self.output, self.said) = (name, output, said)
  }

  /// Outputs that the model's own softmax or sigmoid makes are probabilities, whatever a file says: Keras, too, goes
  /// back behind them. Others are logits, unless a file says otherwise. Throws `update.scores` for a cross-entropy,
  /// said by a file, of probabilities that no softmax makes, which need not add up to 1.
  func scores(madeBy maker: (any Operator)?) throws(Diagnostic) -> ClassScores {
    let isOwn = maker is Softmax || maker is Sigmoid
    guard let said else { return isOwn ? .probabilities : .logits }
    if maker is Softmax || isOwn && name != .crossEntropy { return .probabilities }
    if name == .crossEntropy, said == .probabilities {
      let message = "the file's loss takes probabilities, and the output is not what a softmax gives"
      throw Diagnostic("update.scores", message, kind: .unsupported)
    }
    return said
  }
}

/// An optimizer with the hyperparameters that are set, by name.
struct OptimizerChoice {
  let name: OptimizerName
  var settings: [String: Double] = [:]
  /// Whether weights decay apart from their gradients, and Adam's ε is raw, as in Keras.
  var isOfKeras = false

  init(_ name: OptimizerName) { self.name = name }

  /// Of sgd a step keeps a share of the last one only where that is set, unless `alwaysWithMomentum`.
  func optimizer(alwaysWithMomentum: Bool = false) -> any Optimizer {
    let kind: WeightDecay = isOfKeras ? .decoupled : .gradient
    let decay: WeightDecay = settings["weightDecay"] == nil ? .none : kind
    let epsilon: Adam.Epsilon = isOfKeras ? .raw : .corrected
    return switch name {
    case .sgd: SGD(momentum: alwaysWithMomentum || settings["momentum"] != nil, decay: decay)
    case .adam: Adam(decay: decay, epsilon: epsilon)
    case .adamw: Adam(decay: .decoupled, epsilon: epsilon)
    }
  }
}
