import MLCCore
import MLCTraining

extension SettingsField {
  /// `{"loss": "cross-entropy", "trainable": ["fc.*"]}`: the options of `mlc compile` under their names.
  func learning() throws(Diagnostic) -> UpdatableRequest {
    var request = UpdatableRequest()
    for (key, field) in try members("is no object of options").sorted(by: { $0.key < $1.key }) {
      switch key {
      case "loss": request.recipe.loss = try field.choice(LossName.allCases)
      case "optimizer": request.recipe.optimizer = try field.choice(OptimizerName.allCases)
      case "output": request.recipe.output = try field.text()
      case "learningRate", "momentum", "beta1", "beta2", "eps", "weightDecay", "clipNorm":
        request.recipe.settings[key] = try field.number()
      case "trainable": request.trainable = try field.texts()
      case "respectTrainable": request.respectsTrainable = try field.flag()
      case "targetName": request.target = try field.text()
      case "softTargets": request.hasSoftTargets = try field.flag()
      case "epochs": request.plan.epochs = try field.integer()
      case "batchSize": request.plan.batchSize = try field.integer()
      case "shuffle": request.plan.shuffles = try field.flag()
      case "seed": request.plan.seed = try field.natural()
      default:
        let known = [
          "batchSize", "beta1", "beta2", "clipNorm", "epochs", "eps", "learningRate", "loss", "momentum", "optimizer",
          "output", "respectTrainable", "seed", "shuffle", "softTargets", "targetName", "trainable", "weightDecay",
        ]
        throw field.wrong("is no option; \(known.suggestion(for: key))")
      }
    }
    return request
  }

  private func natural() throws(Diagnostic) -> UInt64 {
    guard let number = UInt64(exactly: try integer()) else { throw wrong("is below 0") }
    return number
  }
}
