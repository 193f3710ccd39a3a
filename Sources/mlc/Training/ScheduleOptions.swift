import ArgumentParser
import MLCTraining

/// How often, in what order, on what share of the data.
struct ScheduleOptions: ParsableArguments {
  @OptionGroup var order: OrderOptions
  @Option(help: ArgumentHelp("Only measure on this share of the examples, the last.", valueName: "0...1"))
  var validation = 0.0
  @Option(
    help: ArgumentHelp(
      "End after N epochs without a lower validation loss, with the weights of the lowest.",
      valueName: "N"
    )
  )
  var patience: Int?

  func plan(_ settings: [String: Double], _ usual: TrainingPlan = TrainingPlan()) -> TrainingPlan {
    var plan = order.plan(usual)
    (plan.validationShare, plan.patience, plan.settings) = (validation, patience, settings)
    return plan
  }
}

/// How often, and in what order.
struct OrderOptions: ParsableArguments {
  @Option(help: "Passes over the examples: 10, or what the model says.") var epochs: Int?
  @Option(help: "Examples a step: 32, or what the model fixes or says.") var batchSize: Int?
  @Flag(
    inversion: .prefixedNo,
    help: "Draw the examples of each epoch in a new order; the default unless the model says otherwise."
  )
  var shuffle: Bool?
  @Option(help: "What the orders follow from: 0, or what the model says.") var seed: UInt64?

  /// What is given here in place of what `usual` says.
  func plan(_ usual: TrainingPlan = TrainingPlan()) -> TrainingPlan {
    var plan = usual
    plan.epochs = epochs ?? usual.epochs
    plan.batchSize = batchSize ?? usual.batchSize
    (plan.shuffles, plan.seed) = (shuffle ?? usual.shuffles, seed ?? usual.seed)
    return plan
  }
}
