import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// Weights of a network that become better by their gradients, as `Learning.Network` says.
struct NetworkUpdate {
  private let network: Learning.Network
  private let gradients: MLCRuntime.Model, step: MLCRuntime.Model
  /// The weights, then the optimizer's moments.
  private var states: [Tensor]
  private let zeros: [Tensor]
  private var weights: ArraySlice<Tensor> { states.prefix(network.weights.count) }

  /// Throws what loading throws.
  init(_ network: Learning.Network, _ learnt: LearntParameters, _ configuration: MLModelConfiguration) throws {
    self.network = network
    gradients = try learnt.function(Learning.gradients, configuration)
    step = try learnt.function(Learning.step, configuration)
    let held = network.weights.compactMap { learnt[$0.parameter] }
    let interface = step.interface
    let types = interface.states.map { interface.inputs[$0.input].type }
    guard held.count == network.weights.count, gradients.interface.states.count == held.count,
      types.count >= held.count, zip(types, held).allSatisfy({ $0 == $1.type })
    else { throw MLModelError(.io, "the package does not hold what it learns") }
    zeros = held.map { .zeros($0.dtype, $0.shape) }
    states = held + types.dropFirst(held.count).map { .zeros($0.dtype, $0.staticShape ?? []) }
  }

  /// One step by the examples with these numbers; the mean of their losses before it. Throws `MLModelError.update` for
  /// a loss that is no finite number; then nothing changes.
  mutating func train(_ numbers: ArraySlice<Int>, of examples: TrainingExamples, _ settings: UpdateSettings) throws
    -> Double
  {
    var (total, sums) = (0.0, zeros)
    for number in numbers {
      let inputs = try examples[number] + weights
      total += try TrainingExamples.reporting(number) { () throws(Diagnostic) in
        try gradients.update(inputs, &sums)[0].doubles[0]
      }
    }
    let loss = total / Double(numbers.count)
    guard loss.isFinite else {
      throw MLModelError(.update, "the loss is no finite number any more; a lower learning rate may help")
    }
    let rates = network.optimizer.settings.map { Tensor.scalar(.float32, settings[$0]) }
    let count = Tensor.scalar(.float32, Double(numbers.count))
    try reporting { () throws(Diagnostic) in _ = try step.update([count] + rates + sums, &states) }
    return loss
  }

  /// Throws `MLModelError.update` for weights that are no finite numbers: a last step may have made them so.
  func check() throws {
    guard weights.allSatisfy({ $0.floats.allSatisfy { $0.isFinite } }) else {
      throw MLModelError(.update, "the weights are no finite numbers any more; a lower learning rate may help")
    }
  }

  /// By the names of parameters.
  var learnt: [String: Tensor] {
    Dictionary(zip(network.weights.map { $0.parameter }, weights)) { first, _ in first }
  }
}
