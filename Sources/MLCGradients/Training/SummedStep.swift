import MLCCore
import MLCGraph
import MLCOps

/// An optimizer's step by the mean of gradients that were summed: what `Learning.step` is.
package enum SummedStep {
  /// From how many examples there were, the optimizer's hyperparameters but for those that are `fixed`, `weights`, its
  /// moments and the sums to the weights and the moments. Where `Hyperparameter.clipNorm` is fixed, that is the most
  /// that the norm of the mean of all gradients may be.
  package static func function(
    _ weights: [(name: String, type: TensorType)],
    _ optimizer: any Optimizer,
    fixed: [String: Double] = [:]
  ) throws(Diagnostic) -> Function {
    var writer = GraphWriter(Function(Learning.step))
    let scalar = TensorType(.float32, [Dim]())
    let count = Formula.value(writer.input("count", scalar))
    var settings: [String: ValueID] = [:]
    let given = optimizer.hyperparameters.filter { fixed[$0.name] == nil }
    for setting in given { settings[setting.name] = writer.input(setting.name, scalar) }
    for (name, value) in fixed.sorted(by: { $0.key < $1.key }) {
      settings[name] = writer.constant(.scalar(.float32, value), name)
    }
    let values = weights.map { writer.input($0.name, $0.type) }
    let steps = optimizer.countsSteps ? writer.input("steps", scalar) : nil
    var moments: [[Formula]] = []
    for weight in weights {
      moments.append(optimizer.moments.map { .value(writer.input("\(weight.name).\($0)", weight.type)) })
    }
    let sums = weights.map { writer.input("\($0.name).sum", $0.type) }
    let number = try steps.map { (steps) throws(Diagnostic) in try writer.value(.value(steps) + 1) }
    let step = OptimizerStep(settings: settings, number: number)
    let rates = try optimizer.rates(step, &writer).map { Formula.value($0) }
    var means: [ValueID] = []
    for sum in sums { means.append(try writer.value(.value(sum) / count)) }
    if let norm = settings[Hyperparameter.clipNorm.name] { means = try writer.clipped(means, norm: .value(norm)) }
    var (updated, next) = ([ValueID](), number.map { [$0] } ?? [])
    for place in weights.indices {
      let raw = ParameterStep(value: .value(values[place]), gradient: .value(means[place]), moments: moments[place])
      let parameter = try optimizer.decay.applied(raw, step, &writer)
      let results = try optimizer.update(parameter, step, rates, &writer)
      updated.append(results[0])
      next += results.dropFirst()
    }
    let first = 1 + given.count
    let names = writer.function.inputs.dropFirst(first).map { writer.function[$0].name }
    var result = writer.finished(zip(names, updated + next).map { (name: $0, value: $1) })
    result.states = result.outputs.indices.map { State(result.outputNames[$0], input: first + $0, output: $0) }
    return result
  }
}
