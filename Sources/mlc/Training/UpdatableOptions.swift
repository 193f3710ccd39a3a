import ArgumentParser
import MLCCore

/// How applications may update the model.
struct UpdatableOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Let applications update the model: what it learns is no constant then. Where the model does not say how it "
        + "learns, --loss and the options below do; they go before what it says. Not with --precision fp16."
    )
  )
  var updatable: Bool?
  @OptionGroup var trainable: TrainableOptions
  @Flag(help: "Let cross-entropy take a probability for each class, not the number or the label of one.")
  var softTargets = false
  @OptionGroup var recipe: RecipeOptions
  @OptionGroup var order: OrderOptions

  /// What is asked for here, if anything. Throws `update.updatable` where that contradicts itself or `precision`.
  func request(_ precision: Precision) throws(Diagnostic) -> UpdatableRequest? {
    let isAsked =
      recipe.request != RecipeRequest() || !trainable.patterns.isEmpty || trainable.respectTrainable || softTargets
      || trainable.targetName != nil
    guard isAsked else {
      if updatable == true, precision != .fp32 { throw UpdatableOptions.refusal(precision) }
      return nil
    }
    if updatable == false {
      let message = "--no-updatable leaves out what the other options ask for"
      throw Diagnostic("update.updatable", message, kind: .usage)
    }
    if precision != .fp32 { throw UpdatableOptions.refusal(precision) }
    var request = UpdatableRequest()
    (request.recipe, request.trainable) = (recipe.request, trainable.patterns)
    (request.respectsTrainable, request.target) = (trainable.respectTrainable, trainable.target)
    (request.hasSoftTargets, request.plan) = (softTargets, order.plan())
    return request
  }

  static func refusal(_ precision: Precision) -> Diagnostic {
    let message = "what a model learns is fp32, and not \(precision.rawValue)"
    return Diagnostic("update.updatable", message, kind: .usage)
  }
}
