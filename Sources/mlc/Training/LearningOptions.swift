import ArgumentParser
import MLCCore
import MLCGradients
import MLCTraining

enum LossName: String, ExpressibleByArgument, CaseIterable {
  case crossEntropy = "cross-entropy"
  case binaryCrossEntropy = "binary-cross-entropy"
  case mse
}

enum OptimizerName: String, ExpressibleByArgument, CaseIterable { case sgd, adam, adamw }

extension BatchStatistics: ExpressibleByArgument {}

/// What is made small, and how.
struct LearningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What training makes small; needed unless the model's file says it. Cross-entropy takes the numbers of classes, "
        + "or their probabilities.",
      valueName: "cross-entropy|binary-cross-entropy|mse"
    )
  )
  var loss: LossName?
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("The output that is compared with the targets.", valueName: "NAME")
  )
  var result: String?
  @Option(
    help: ArgumentHelp("How weights follow from gradients; sgd if nothing says it.", valueName: "sgd|adam|adamw")
  )
  var optimizer: OptimizerName?
  @Option(help: "Step size (0.01).") var learningRate: Double?
  @Option(help: "Of sgd: the share of the last step that is taken again (0).") var momentum: Double?
  @Option(name: .customLong("beta1"), help: "Of adam and adamw: decay of the mean of gradients (0.9).") var beta1:
    Double?
  @Option(name: .customLong("beta2"), help: "Of adam and adamw: decay of the mean of their squares (0.999).") var beta2:
    Double?
  @Option(help: "Of adam and adamw: what is added to the root of those (1e-8).") var eps: Double?
  @Option(help: "How fast weights are drawn toward 0; of adamw 0.01 if not given.") var weightDecay: Double?
  @Option(help: "The most that the norm of all gradients may be; larger ones are scaled.") var clipNorm: Double?
  @Option(
    help: ArgumentHelp(
      "Train batch norms by the statistics of batches. Running variances are 'biased' as in Keras, or 'unbiased' as in "
        + "PyTorch. Without, batch norms keep the model's statistics.",
      valueName: "biased|unbiased"
    )
  )
  var batchStatistics: BatchStatistics?
  @Option(help: "With batch statistics: the share of running ones that a step keeps (0.9).") var normMomentum: Double?

  /// What is given, by the names that hyperparameters have.
  private var settings: [String: Double] {
    let given: [(String, Double?)] = [
      ("learningRate", learningRate), ("momentum", momentum), ("beta1", beta1), ("beta2", beta2), ("eps", eps),
      ("weightDecay", weightDecay), ("clipNorm", clipNorm), ("normMomentum", normMomentum),
    ]
    return Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, $0) } })
  }

  /// What is said here and, where it is not, by the model's `file`. Throws `update.loss` where neither names a loss.
  func recipe(_ file: FileTraining?) throws(Diagnostic) -> LearningRecipe {
    guard var chosen = loss.map({ LossChoice($0) }) ?? file?.loss else {
      let names = LossName.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw Diagnostic("update.loss", "name what training makes small with --loss: \(names)", kind: .usage)
    }
    if let result { chosen.output = result }
    var way = optimizer.map { OptimizerChoice($0) } ?? file?.optimizer ?? OptimizerChoice(.sgd)
    way.settings.merge(settings) { $1 }
    return LearningRecipe(loss: chosen, optimizer: way, batchStatistics: batchStatistics)
  }
}

/// How often, in what order, on what share of the data.
struct ScheduleOptions: ParsableArguments {
  @Option(help: "Passes over the examples.") var epochs = 10
  @Option(help: "Examples a step: 32, or what the model fixes.") var batchSize: Int?
  @Flag(inversion: .prefixedNo, help: "Draw the examples of each epoch in a new order.") var shuffle = true
  @Option(help: "What the orders follow from.") var seed: UInt64 = 0
  @Option(help: ArgumentHelp("Only measure on this share of the examples, the last.", valueName: "0...1"))
  var validation = 0.0
  @Option(
    help: ArgumentHelp(
      "End after N epochs without a lower validation loss, with the weights of the lowest.",
      valueName: "N"
    )
  )
  var patience: Int?

  func plan(_ settings: [String: Double]) -> TrainingPlan {
    var plan = TrainingPlan()
    (plan.epochs, plan.batchSize, plan.shuffles, plan.seed) = (epochs, batchSize, shuffle, seed)
    (plan.validationShare, plan.patience, plan.settings) = (validation, patience, settings)
    return plan
  }
}
