import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `simpleRecurrent`: `h′ = f(W·x + R·h + b)`. Outputs the sequence or its last step, and on demand the state. A
/// sequence that is taken in reverse gives its outputs in the order of its inputs.
enum NNSimpleRecurrent: NNLayerRule {
  static let kinds = ["simpleRecurrent"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.simpleRecurrent
    let (width, hidden) = (Int(clamping: spec.inputVectorSize), Int(clamping: spec.outputVectorSize))
    var op = RNN()
    (op.direction, op.outputSequence) = (spec.reverseInput ? "reverse" : "forward", spec.sequenceOutput)
    op.activation = spec.hasActivation ? try NNCell.name(spec.activation) : "tanh"
    op.clip = NNCell.clip([op.activation])
    let x = try NNCell.steps(try context.input(), in: &context)
    let state = try NNCell.state(1, width: hidden, in: &context)
    let input = context.constant(try context.dense(spec.weightMatrix, "weightMatrix", [hidden, width]), "weight_ih")
    let recursion = context.constant(
      try context.dense(spec.recursionMatrix, "recursionMatrix", [hidden, hidden]),
      "weight_hh"
    )
    let bias = spec.hasBiasVector_p ? try context.vector(spec.biasVector, "biasVector", hidden) : nil
    let results = try context.emit(
      op,
      all: [[x], state.map { [$0] } ?? [], [input], [recursion], bias.map { [$0] } ?? []]
    )
    return [try NNCell.widened(results[0], in: &context), try NNCell.widened(results[1], in: &context)]
  }
}

/// `gru`, the reset gate before the product. Outputs as `simpleRecurrent`.
enum NNGRU: NNLayerRule {
  static let kinds = ["gru"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.gru
    let (width, hidden) = (Int(clamping: spec.inputVectorSize), Int(clamping: spec.outputVectorSize))
    let names = try NNCell.names(spec.activations, ["sigmoid", "tanh"])
    var op = GRU()
    (op.direction, op.outputSequence) = (spec.reverseInput ? "reverse" : "forward", spec.sequenceOutput)
    (op.recurrentActivation, op.activation, op.clip) = (names[0], names[1], NNCell.clip(names))
    let input = [spec.resetGateWeightMatrix, spec.outputGateWeightMatrix, spec.updateGateWeightMatrix]
    let recursion = [spec.resetGateRecursionMatrix, spec.outputGateRecursionMatrix, spec.updateGateRecursionMatrix]
    let biases = [spec.resetGateBiasVector, spec.outputGateBiasVector, spec.updateGateBiasVector]
    let x = try NNCell.steps(try context.input(), in: &context)
    let state = try NNCell.state(1, in: &context)
    let ih = context.constant(try NNCell.stacked(input, "weights", hidden, width, in: context), "weight_ih")
    let hh = context.constant(try NNCell.stacked(recursion, "recursion", hidden, hidden, in: context), "weight_hh")
    let bias =
      spec.hasBiasVectors_p
      ? [context.constant(try NNCell.stacked(biases, "biases", hidden, nil, in: context), "bias")] : []
    let results = try context.emit(op, all: [[x], state.map { [$0] } ?? [], [ih], [hh], bias])
    return [try NNCell.widened(results[0], in: &context), try NNCell.widened(results[1], in: &context)]
  }
}
