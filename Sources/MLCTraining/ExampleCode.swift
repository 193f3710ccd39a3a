import MLCCompiler
import MLCCore
import MLCGraph
import MLCRuntime

/// Steps by the mean of gradients that are computed example by example, as code for this machine.
struct ExampleCode: TrainingCode {
  private let code: CompiledFunctions
  private var gradients: Model { code.models[0] }
  private var step: Model { code.models[1] }
  private let settings: [Tensor]
  private let weightCount: Int
  private let zeros: [Tensor]
  private let labels: ClassLabels?
  var arenaBytes: Int? { code.arenaBytes }

  /// Throws what compiling and loading throw.
  init(
    _ functions: ExampleFunctions,
    settings: [Tensor],
    _ compiler: Compiler,
    drivers: [any Driver]
  ) throws(Diagnostic) {
    code = try CompiledFunctions(functions.functions, compiler, drivers: drivers)
    (self.settings, labels, weightCount) = (settings, functions.labels, functions.network.weights.count)
    zeros = functions.initial.prefix(weightCount).map { .zeros($0.contents.dtype, $0.contents.shape) }
  }

  func train(_ batch: [Tensor], _ states: inout [Tensor]) throws(Diagnostic) -> Double {
    let (loss, sums) = try summed(batch, states)
    let count = Tensor.scalar(.float32, Double(batch[0].shape[0]))
    _ = try step.update([count] + settings + sums, &states)
    return loss
  }

  func loss(_ batch: [Tensor], _ states: [Tensor]) throws(Diagnostic) -> Double { try summed(batch, states).loss }

  /// The mean of the examples' losses, and the sums of their gradients.
  private func summed(_ batch: [Tensor], _ states: [Tensor]) throws(Diagnostic) -> (loss: Double, sums: [Tensor]) {
    var (total, sums) = (0.0, zeros)
    let count = batch[0].shape[0]
    for number in 0..<count {
      let results = try gradients.update(example(number, of: batch) + states.prefix(weightCount), &sums)
      total += results[0].doubles[0]
    }
    return (total / Double(count), sums)
  }

  private func example(_ number: Int, of batch: [Tensor]) -> [Tensor] {
    var parts = batch.map { $0.examples([number]).withoutFirstAxis }
    guard let labels else { return parts }
    let place = batch[batch.count - 1].examples([number]).integers[0]
    switch labels {
    case .strings(let texts): parts[parts.count - 1] = Tensor([], strings: [texts[place]])
    case .integers(let numbers): parts[parts.count - 1] = .scalar(.int64, Int(numbers[place]))
    }
    return parts
  }
}
