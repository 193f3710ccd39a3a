import Foundation
import MLCCore
import MLCPackage
import MLCRuntime

/// Weights of a network that become better by their gradients, as `Learning.Network` says.
struct NetworkUpdate {
  private let network: Learning.Network
  private let gradients: MLCRuntime.Model, step: MLCRuntime.Model
  private(set) var weights: [Tensor]
  private var moments: [Tensor]
  private let zeros: [Tensor]

  /// Throws what loading throws.
  init(_ network: Learning.Network, _ learnt: LearntParameters, _ configuration: MLModelConfiguration) throws {
    self.network = network
    gradients = try learnt.function(Learning.gradients, configuration)
    step = try learnt.function(Learning.step, configuration)
    weights = network.weights.compactMap { learnt[$0.parameter] }
    let ports = step.interface.inputs.dropFirst(1 + network.optimizer.settings.count)
    guard weights.count == network.weights.count, ports.count >= 2 * weights.count else {
      throw MLModelError(.io, "the package does not hold what it learns")
    }
    moments = ports.dropFirst(weights.count).dropLast(weights.count).map { NetworkUpdate.zeros($0.type) }
    zeros = ports.suffix(weights.count).map { NetworkUpdate.zeros($0.type) }
  }

  /// One step by the examples with these numbers; the mean of their losses before it. Throws `MLModelError.update` for
  /// a loss that is no finite number; then nothing changes.
  mutating func train(_ numbers: ArraySlice<Int>, of examples: TrainingExamples, _ settings: UpdateSettings) throws
    -> Double
  {
    var (total, sums) = (0.0, zeros)
    for number in numbers {
      let inputs = try examples[number] + weights + sums
      let results = try TrainingExamples.reporting(number) { () throws(Diagnostic) in try gradients.predict(inputs) }
      total += results[0].doubles[0]
      sums = Array(results.dropFirst())
    }
    let loss = total / Double(numbers.count)
    guard loss.isFinite else {
      throw MLModelError(.update, "the loss is no finite number any more; a lower learning rate may help")
    }
    let rates = network.optimizer.settings.map { Tensor.scalar(.float32, settings[$0]) }
    let count = Tensor.scalar(.float32, Double(numbers.count))
    let inputs = [count] + rates + weights + moments + sums
    let results = try reporting { () throws(Diagnostic) in try step.predict(inputs) }
    (weights, moments) = (Array(results.prefix(weights.count)), Array(results.dropFirst(weights.count)))
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

  private static func zeros(_ type: TensorType) -> Tensor {
    let shape = type.shape.map { $0.constant ?? 0 }
    return Tensor(type.dtype, shape, [Double](repeating: 0, count: shape.reduce(1, *)))
  }
}
