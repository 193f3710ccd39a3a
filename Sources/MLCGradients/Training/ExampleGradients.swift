import MLCCore
import MLCGraph
import MLCOps

/// The gradients of one example as a function, which adds them to sums: what `Learning.gradients` is.
package enum ExampleGradients {
  /// From the inputs of `forward` that are not `weights`, the target that `target` makes an input of and gives as the
  /// loss takes it, the weights and their sums to the loss and the sums. `forward` has one output, which the loss
  /// compares. Throws `gradient.unsupported`, `gradient.loss`.
  package static func function(
    _ forward: Function,
    weights: [ValueID],
    _ loss: any Loss,
    target: (inout GraphWriter, TensorType) throws(Diagnostic) -> ValueID
  ) throws(Diagnostic) -> Function {
    var differentiation = try Differentiation(forward, parameters: weights, result: forward.outputs[0])
    let prediction = differentiation.value(forward.outputs[0])
    let own = forward.inputs.filter { !weights.contains($0) }
    let wanted = try loss.target(of: differentiation.writer.fact(prediction).type)
    let expected = try target(&differentiation.writer, wanted)
    let given = differentiation.writer.function.inputs[forward.inputs.count...]
    let value = try loss.value(prediction, expected, &differentiation.writer)
    let gradients = try differentiation.gradients(of: value)
    var outputs: [(name: String, value: ValueID)] = [("loss", value)]
    var sums: [ValueID] = []
    for (weight, gradient) in zip(weights, gradients) {
      let name = forward[weight].name
      let sum = differentiation.writer.input("\(name).sum", forward.type(weight))
      sums.append(sum)
      outputs.append(("\(name).sum", try differentiation.writer.value(.value(sum) + .value(gradient))))
    }
    var result = differentiation.writer.finished(outputs)
    (result.inputs, result.parameters) = (own + given + weights + sums, [])
    let first = result.inputs.count - sums.count
    result.states = sums.indices.map { State(result.outputNames[1 + $0], input: first + $0, output: 1 + $0) }
    result.name = Learning.gradients
    return result
  }
}
