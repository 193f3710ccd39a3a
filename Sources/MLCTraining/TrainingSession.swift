import MLCCompiler
import MLCCore
import MLCGradients
import MLCGraph
import MLCRuntime

/// A model in training: epoch by epoch, by code for this machine. The same settings and data give the same bits,
/// whatever the number of threads.
package struct TrainingSession: Sendable {
  /// Losses of one epoch: the mean over its examples, each before the step that it is in.
  package struct Epoch: Sendable, Equatable {
    package let loss: Double
    /// Over the examples that only measure, after the epoch; `nil` without such.
    package let validation: Double?
  }

  package let order: BatchOrder
  let functions: any TrainingFunctions
  let plan: TrainingPlan
  let data: TrainingData
  /// The hyperparameters that each step takes.
  let settings: [Tensor]
  private let code: any TrainingCode
  package private(set) var history: [Epoch] = []
  /// What the states of a step hold, in their order.
  private(set) var states: [Tensor]
  /// Those of the lowest validation loss, where training may end early.
  private(set) var best: [Tensor]?

  /// `compiler` makes the code, `drivers` run it.
  ///
  /// Throws `update.setting`, `update.batch-size` where the model's own size of a batch is another than the plan's,
  /// `update.data-empty` where no batch is left to train on or to measure, and what compiling throws.
  package init(
    _ functions: any TrainingFunctions,
    _ plan: TrainingPlan,
    _ data: TrainingData,
    _ compiler: Compiler,
    drivers: [any Driver]
  ) throws(Diagnostic) {
    settings = try plan.values(of: functions.hyperparameters).map { .scalar(.float32, $0) }
    order = BatchOrder(
      count: data.count,
      validationShare: plan.validationShare,
      batchSize: try plan.batchSize(fixed: functions.fixedBatch),
      dropsLast: functions.fixedBatch != nil,
      seed: plan.shuffles ? plan.seed : nil
    )
    guard !order.batches(epoch: 0).isEmpty, plan.validationShare == 0 || !order.validationBatches.isEmpty else {
      let parts = "\(order.training.count) to train on and \(order.validation.count) to measure"
      throw Diagnostic("update.data-empty", "\(parts) are too few examples for batches of \(order.batchSize)")
    }
    (self.functions, self.plan, self.data) = (functions, plan, data)
    states = functions.initial.map { $0.contents }
    code = try functions.code(settings, compiler, drivers: drivers)
  }

  /// The trained weights that were compressed or of another type than float32.
  package var expanded: [String] { functions.expanded }

  /// The memory of a step's activations and gradients; `nil` where the size of batches decides.
  package var arenaBytes: Int? { code.arenaBytes }

  /// Whether all epochs are done, or the validation loss has not fallen for as long as the plan says.
  package var isDone: Bool {
    if history.count >= plan.epochs { return true }
    guard let patience = plan.patience, let lowest = lowestValidation else { return false }
    return history.count - 1 - lowest >= patience
  }

  /// The epoch of the lowest validation loss, the first of equal ones.
  private var lowestValidation: Int? {
    let losses = history.map { $0.validation ?? .infinity }
    return losses.indices.min { losses[$0] < losses[$1] }
  }

  /// Trains for one more epoch. `progress` is told after each step its loss and the share of the epoch that is done.
  /// Throws `update.diverged` for a loss or weights that are no number, and what running throws.
  package mutating func runEpoch(_ progress: (_ loss: Double, _ share: Double) -> Void = { _, _ in })
    throws(Diagnostic)
  {
    let number = history.count
    let batches = order.batches(epoch: number)
    let loss = try mean(batches) { (session, batch, place) throws(Diagnostic) in
      let loss = try session.code.train(session.data.batch(batch), &session.states)
      guard loss.isFinite else {
        let message = "the loss is no finite number in epoch \(number + 1), batch \(place + 1): try a lower rate"
        throw Diagnostic("update.diverged", message)
      }
      progress(loss, Double(place + 1) / Double(batches.count))
      return loss
    }
    var validation: Double?
    if !order.validation.isEmpty {
      validation = try mean(order.validationBatches) { (session, batch, _) throws(Diagnostic) in
        try session.code.loss(session.data.batch(batch), session.states)
      }
    }
    guard validation?.isFinite ?? true, states.allSatisfy({ $0.doubles.allSatisfy { $0.isFinite } }) else {
      let message =
        "weights are no numbers after epoch \(number + 1), batch \(batches.count); try a lower learning rate"
      throw Diagnostic("update.diverged", message)
    }
    history.append(Epoch(loss: loss, validation: validation))
    if plan.patience != nil, lowestValidation == number { best = states }
  }

  /// The mean over all examples of `batches`.
  private mutating func mean(
    _ batches: [ArraySlice<Int>],
    _ loss: (inout TrainingSession, ArraySlice<Int>, Int) throws(Diagnostic) -> Double
  ) throws(Diagnostic) -> Double {
    var (sum, count) = (0.0, 0)
    for (place, batch) in batches.enumerated() {
      sum += try loss(&self, batch, place) * Double(batch.count)
      count += batch.count
    }
    return sum / Double(count)
  }

  /// The names of the running statistics that steps update.
  package var statistics: [String] { functions.statistics }

  /// What the constants of these names are after the training, all of type float32.
  package func weights(of names: Set<String>) -> [String: Tensor] {
    let held = best ?? states
    var weights: [String: Tensor] = [:]
    for (place, state) in functions.initial.enumerated() where names.contains(state.name) {
      weights[state.name] = held[place]
    }
    return weights
  }

  /// Goes on where another session of the same kind was.
  mutating func resume(_ history: [Epoch], states: [Tensor], best: [Tensor]?) {
    (self.history, self.states, self.best) = (history, states, best)
  }
}

extension TrainingPlan {
  /// Throws `update.batch-size`.
  fileprivate func batchSize(fixed: Int?) throws(Diagnostic) -> Int {
    guard let fixed else { return batchSize ?? TrainingPlan.usualBatchSize }
    if batchSize ?? fixed == fixed { return fixed }
    let message = "the model takes batches of \(fixed), not of \(batchSize ?? fixed)"
    throw Diagnostic("update.batch-size", message, kind: .usage)
  }
}
