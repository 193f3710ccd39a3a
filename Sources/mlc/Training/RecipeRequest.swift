import MLCCore
import MLCGradients

/// What is asked of a training: by options of a command, or in `mlc.json`.
struct RecipeRequest: Equatable {
  var loss: LossName?
  /// The output that is compared with the targets.
  var output: String?
  var optimizer: OptimizerName?
  /// What is given, by the names that hyperparameters have.
  var settings: [String: Double] = [:]
  var batchStatistics: BatchStatistics?

  /// Whether it says more than the values of settings: a loss, an optimizer, an output, or what changes a step.
  var describes: Bool {
    loss != nil || optimizer != nil || output != nil || batchStatistics != nil
      || !settings.keys.allSatisfy { Learning.Setting.Key(rawValue: $0) != nil }
  }

  /// What is said here and, where it is not, by the model's `file`. Throws `update.loss` where neither names a loss.
  func recipe(_ file: FileTraining?) throws(Diagnostic) -> LearningRecipe {
    guard var chosen = loss.map({ LossChoice($0) }) ?? file?.loss else {
      let names = LossName.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw Diagnostic("update.loss", "name what training makes small with --loss: \(names)", kind: .usage)
    }
    if let output { chosen.output = output }
    var way = optimizer.map { OptimizerChoice($0) } ?? file?.optimizer ?? OptimizerChoice(.sgd)
    way.settings.merge(settings) { $1 }
    return LearningRecipe(loss: chosen, optimizer: way, batchStatistics: batchStatistics)
  }
}
