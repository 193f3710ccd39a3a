import MLCCore
import MLCGraph
import MLCOps

/// One step of training as a function: from inputs of a model, a target and hyperparameters to the loss before the
/// step. Parameters, their moments, running statistics and the number of steps are states, which the step changes.
package struct TrainingStep: Sendable {
  package struct Options: Sendable {
    package var loss: any Loss
    package var optimizer: any Optimizer
    /// Whether the norm of all gradients is held below `Hyperparameter.clipNorm`.
    package var clips = false
    /// How `batch_norm` is trained where its gamma or beta is; by the model's own statistics unless given.
    package var batchStatistics: BatchStatistics?
    /// The model's output that is compared with the target; its first unless given.
    package var output: String?

    package init(_ loss: any Loss, _ optimizer: any Optimizer) { (self.loss, self.optimizer) = (loss, optimizer) }

    package var hyperparameters: [Hyperparameter] {
      optimizer.hyperparameters + (clips ? [.clipNorm] : [])
        + (batchStatistics == nil ? [] : [BatchStatistics.momentum])
    }
  }

  /// Inputs: the model's, `target`, the hyperparameters in their order, then the states that training adds. Outputs:
  /// `loss`, the model's states, then those of training.
  package let function: Function
  /// What the states that training adds begin with, in their order. A parameter's or a running statistic's has the
  /// constant's name unless a state before it has it.
  package let initial: [(name: String, contents: Tensor)]
  /// The constants among those that are running statistics.
  package let statistics: [String]
  /// The trained weights that were compressed or of another type than float32, and are float32 now.
  package let expanded: [String]

  /// Trains the constants of `function` called `parameters`. Throws `gradient.unsupported` with all nodes between them
  /// and the output that have no gradient, `gradient.parameter`, `gradient.output`, `gradient.loss`.
  package init(_ function: Function, parameters: Set<String>, _ options: Options) throws(Diagnostic) {
    let constants = try TrainableConstants(function, parameters)
    let output = try function.trainedOutput(options.output)
    var draft = try TrainingDraft(constants, result: output, options.batchStatistics)
    (self.function, initial) = (try draft.finished(options), draft.initial)
    (expanded, statistics) = (constants.expanded, draft.statistics)
  }
}

extension Function {
  /// The output of that name, or the first. Throws `gradient.output`.
  package func trainedOutput(_ name: String?) throws(Diagnostic) -> ValueID {
    let hidden = Set(states.map { $0.output })
    let places = outputs.indices.filter { !hidden.contains($0) }
    if let place = places.first(where: { name == nil || outputNames[$0] == name }) { return outputs[place] }
    let names = places.map { "'\(outputNames[$0])'" }.joined(separator: ", ")
    throw Diagnostic("gradient.output", "there is no output '\(name ?? "")'; there are \(names)", kind: .usage)
  }
}
