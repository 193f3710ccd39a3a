import ArgumentParser
import MLCGradients

extension BatchStatistics: ExpressibleByArgument {}

/// What is made small, and how, where whole batches are trained on.
struct LearningOptions: ParsableArguments {
  @OptionGroup var recipe: RecipeOptions
  @Option(
    help: ArgumentHelp(
      "Train batch norms by the statistics of batches. Running variances are 'biased' as in Keras, or 'unbiased' as in "
        + "PyTorch. Without, batch norms keep the model's statistics.",
      valueName: "biased|unbiased"
    )
  )
  var batchStatistics: BatchStatistics?
  @Option(help: "With batch statistics: the share of running ones that a step keeps (0.9).") var normMomentum: Double?

  /// What is given.
  var request: RecipeRequest {
    var request = recipe.request
    request.batchStatistics = batchStatistics
    request.settings["normMomentum"] = normMomentum
    return request
  }
}
