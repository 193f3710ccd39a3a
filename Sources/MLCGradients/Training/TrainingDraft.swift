import MLCCore
import MLCGraph
import MLCOps

/// A training function in the making.
struct TrainingDraft {
  private let source: Function
  private let weights: [TrainableConstants.Weight]
  private let running: [BatchNormalized.Running]
  private var differentiation: Differentiation
  private let result: ValueID
  /// The names of all states so far, and those of the weights'.
  private var taken: Set<String>, names: [String] = []
  /// What the states begin with.
  private(set) var initial: [(name: String, contents: Tensor)] = []
  /// The values of the states before the step, and after it.
  private var before: [ValueID] = [], after: [ValueID] = []

  init(_ constants: TrainableConstants, result: ValueID, _ statistics: BatchStatistics?) throws(Diagnostic) {
    (weights, self.result) = (constants.weights, result)
    let trained = Set(weights.map { $0.value })
    let normalized = try statistics.map { (kind) throws(Diagnostic) in
      try BatchNormalized(constants.function, trained, kind)
    }
    running = normalized?.running ?? []
    let function = normalized?.function ?? constants.function
    source = function
    taken = Set(function.states.map { $0.name })
    differentiation = try Differentiation(
      function,
      parameters: weights.map { $0.value },
      result: result,
      keeping: function.states.map { function.outputs[$0.output] } + running.map { $0.batch }
    )
    for weight in weights { names.append(taken.addName(weight.name)) }
  }

  /// The names of the constants whose running statistics are states.
  var statistics: [String] { running.map { $0.name } }

  /// The function. Throws `gradient.loss`.
  mutating func finished(_ options: TrainingStep.Options) throws(Diagnostic) -> Function {
    let prediction = differentiation.value(result)
    let target = differentiation.writer.input(
      "target",
      try options.loss.target(of: differentiation.writer.fact(prediction).type)
    )
    var settings: [String: ValueID] = [:]
    for setting in options.hyperparameters {
      settings[setting.name] = differentiation.writer.input(setting.name, TensorType(.float32, [Dim]()))
    }
    let loss = try options.loss.value(prediction, target, &differentiation.writer)
    var gradients = try differentiation.gradients(of: loss)
    if options.clips, let norm = settings[Hyperparameter.clipNorm.name] {
      gradients = try differentiation.writer.clipped(gradients, norm: .value(norm))
    }
    try update(gradients, settings, options.optimizer)
    if let momentum = settings[BatchStatistics.momentum.name] { try updateRunning(.value(momentum)) }
    return function(loss)
  }

  /// Appends what the optimizer makes of the parameters.
  private mutating func update(_ gradients: [ValueID], _ settings: [String: ValueID], _ optimizer: any Optimizer)
    throws(Diagnostic)
  {
    var number: ValueID?
    if optimizer.countsSteps {
      let count = addState("steps", .scalar(.float32, 0.0))
      let next = try differentiation.writer.value(.value(count) + 1)
      after.append(next)
      number = next
    }
    let step = OptimizerStep(settings: settings, number: number)
    let rates = try optimizer.rates(step, &differentiation.writer).map { Formula.value($0) }
    for (place, gradient) in gradients.enumerated() {
      let weight = weights[place]
      before.append(weight.value)
      initial.append((names[place], weight.initial))
      let zeros = Tensor.zeros(.float32, weight.initial.shape)
      let moments = optimizer.moments.map { Formula.value(addState("\(weight.name).\($0)", zeros)) }
      let raw = ParameterStep(value: .value(weight.value), gradient: .value(gradient), moments: moments)
      let parameter = try optimizer.decay.applied(raw, step, &differentiation.writer)
      after += try optimizer.update(parameter, step, rates, &differentiation.writer)
    }
  }

  private mutating func updateRunning(_ momentum: Formula) throws(Diagnostic) {
    for statistic in running {
      let old = Formula.value(addState(statistic.name, statistic.initial))
      let batch = Formula.value(
        try differentiation.writer.converted(differentiation.value(statistic.batch), to: .float32)
      )
      after.append(try differentiation.writer.value(momentum * old + (1 - momentum) * batch))
    }
  }

  private mutating func addState(_ name: String, _ contents: Tensor) -> ValueID {
    let value = differentiation.writer.input(name, contents.type)
    before.append(value)
    initial.append((taken.addName(name), contents))
    return value
  }

  /// The function with its inputs and outputs in order.
  private func function(_ loss: ValueID) -> Function {
    let added = Set(before)
    let own = source.states.map { differentiation.value(source.outputs[$0.output]) }
    var taken: Set = ["loss"]
    let hints = source.states.map { source.outputNames[$0.output] } + initial.map { "\($0.name)_updated" }
    let names = hints.map { taken.addName($0) }
    var result = differentiation.writer.finished([("loss", loss)] + zip(names, own + after).map { ($0, $1) })
    result.inputs = result.inputs.filter { !added.contains($0) } + before
    result.name = "training"
    result.features = Features()
    result.states = source.states.enumerated().map { State($1.name, input: $1.input, output: 1 + $0) }
    let first = result.inputs.count - before.count
    for (place, state) in initial.enumerated() {
      result.states.append(State(state.name, input: first + place, output: 1 + own.count + place))
    }
    return result
  }
}
