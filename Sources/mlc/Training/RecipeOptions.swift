import ArgumentParser
import MLCGradients

enum LossName: String, ExpressibleByArgument, CaseIterable {
  case crossEntropy = "cross-entropy"
  case binaryCrossEntropy = "binary-cross-entropy"
  case mse
}

enum OptimizerName: String, ExpressibleByArgument, CaseIterable { case sgd, adam, adamw }

/// What is made small, and how.
struct RecipeOptions: ParsableArguments {
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

  /// What is given.
  var request: RecipeRequest {
    let given: [(String, Double?)] = [
      ("learningRate", learningRate), ("momentum", momentum), ("beta1", beta1), ("beta2", beta2), ("eps", eps),
      ("weightDecay", weightDecay), ("clipNorm", clipNorm),
    ]
    var request = RecipeRequest()
    (request.loss, request.output, request.optimizer) = (loss, result, optimizer)
    request.settings = Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, $0) } })
    return request
  }
}
