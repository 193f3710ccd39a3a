import MLCCore
import MLCGradients
import MLCGraph
import MLCPasses
import MLCTraining

/// A model that 'mlc update' trains.
struct Trainee {
  private(set) var source: ModelSource
  /// The names of what learns.
  let weights: Set<String>
  let plan: TrainingPlan
  /// Before its first epoch.
  let session: TrainingSession

  /// As the model says that it learns, if it does, else as `wish` and the options of `command` say: in batches along
  /// the first axis of its inputs, or example by example where they have none or the data one before it. Throws what
  /// training refuses of model, options and data.
  init(
    _ source: ModelSource,
    _ archive: [(name: String, tensor: Tensor)],
    _ command: Update,
    _ wish: TrainingWish?
  ) throws(Diagnostic) {
    self.source = source
    let own = try Described.byModel(source, command)
    let described: Described
    if let own {
      described = own
    } else if let wish {
      described = try Described.by(wish, source, archive, command)
    } else {
      let wish = try TrainingWish(source.path, command.learning.request, respectsTrainable: false)
      described = try Described.by(wish, source, archive, command)
    }
    (weights, plan) = (described.weights, described.plan)
    let functions = described.functions
    TrainingSummary.note(expanded: functions.expanded)
    let examples = try locating(Location(file: command.data)) { () throws(Diagnostic) in
      var numbered = archive
      if let functions = functions as? ExampleFunctions { numbered = try functions.numbered(archive) }
      let examples = try TrainingData(numbered, ports: functions.ports)
      try examples.checkTargets(functions.targetElements)
      return examples
    }
    let (compiler, drivers) = (try command.compiler(source), try command.drivers())
    session = try TrainingSession(functions, plan, examples, compiler, drivers: drivers)
    if session.order.omitted > 0 {
      let left = "\(session.order.omitted.of("example")) of each epoch left out"
      Console.note("the model takes batches of \(session.order.batchSize): \(left)")
    }
  }

  /// Takes in what `session` learnt.
  mutating func learn(_ session: TrainingSession) {
    let learnt = session.weights(of: weights.union(session.statistics))
    if source.program.main.parameters.isEmpty {
      source.program.main.setWeights(learnt)
    } else {
      source.program.main.setParameters(learnt)
    }
  }
}

extension Function {
  /// Whether the tensors for its inputs have an axis before theirs.
  fileprivate func takesOne(of archive: [(name: String, tensor: Tensor)]) -> Bool {
    inputs.allSatisfy { input in
      archive.contains { $0.name == self[input].name && $0.tensor.rank == type(input).rank + 1 }
    }
  }
}

/// What is trained, and how.
private struct Described {
  let functions: any TrainingFunctions
  let weights: Set<String>
  let plan: TrainingPlan

  /// `nil` for a model that does not say it.
  static func byModel(_ source: ModelSource, _ command: Update) throws(Diagnostic) -> Described? {
    guard let functions = ExampleFunctions(source.program), let learning = source.program.learning?.learning else {
      return nil
    }
    if command.trainable.targetName != nil {
      let target = functions.ports[functions.ports.count - 1].name
      let message = "the model calls the target '\(target)' itself; leave --target-name out"
      throw Diagnostic("update.setting", message, kind: .usage)
    }
    let plan = command.schedule.plan(command.learning.request.settings, TrainingPlan(learning))
    try plan.check(learning)
    let weights = Set(source.program.main.parameters.map { $0.name })
    return Described(functions: functions, weights: weights, plan: plan)
  }

  static func by(
    _ wish: TrainingWish,
    _ source: ModelSource,
    _ archive: [(name: String, tensor: Tensor)],
    _ command: Update
  ) throws(Diagnostic) -> Described {
    let (request, trainable) = (command.learning.request, command.trainable)
    let recipe = wish.recipe
    let main = source.program.main
    let weights = try main.trainable(trainable.patterns, of: wish.file)
    var plan = command.schedule.plan(recipe.optimizer.settings)
    let takesClasses = archive.first { $0.name == trainable.target }?.tensor.dtype.isFloat == false
    let batches = try locating(Location(file: source.path)) { () throws(Diagnostic) -> BatchFunctions? in
      let options = try recipe.options(for: main, integerTargets: takesClasses)
      _ = try plan.values(of: options.hyperparameters)
      if main.takesOne(of: archive) { return nil }
      return try BatchFunctions(main, parameters: weights, options, targetName: trainable.target)
    }
    if let batches { return Described(functions: batches, weights: weights, plan: plan) }
    if recipe.batchStatistics != nil {
      let message = "--batch-statistics needs inputs with a first axis of examples"
      throw Diagnostic("update.setting", message, kind: .usage)
    }
    var learning = UpdatableRequest()
    (learning.recipe, learning.trainable, learning.target) = (request, trainable.patterns, trainable.target)
    (learning.respectsTrainable, learning.plan) = (trainable.respectTrainable, plan)
    learning.hasSoftTargets = recipe.loss.name == .crossEntropy && !takesClasses
    let requested = try learning.learning(of: source)
    guard
      let functions = ExampleFunctions(
        requested.program,
        requested.targetElements,
        expanded: requested.expanded
      )
    else { preconditionFailure("a program that was asked to learn does not") }
    // The others are part of a step.
    let settings = Set(functions.hyperparameters.map { $0.name })
    plan.settings = plan.settings.filter { settings.contains($0.key) }
    return Described(functions: functions, weights: weights, plan: plan)
  }
}
