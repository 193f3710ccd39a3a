import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `uniDirectionalLSTM` and `biDirectionalLSTM`. Outputs the sequence or its last step, and on demand the states h and
/// c, in each direction. The default bound of ±50 on cells is not applied; a narrower one and coupled gates are
/// refused.
enum NNLSTM: NNLayerRule {
  static let kinds = ["uniDirectionalLSTM", "biDirectionalLSTM"]
  private typealias Weights = CoreML_Specification_LSTMWeightParams

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .biDirectionalLstm(let spec)? = layer.spec.layer { return try both(spec, &context) }
    let spec = layer.spec.uniDirectionalLstm
    var op = try lstm(spec.params, spec.activations)
    op.direction = spec.reverseInput ? "reverse" : "forward"
    let sizes = (Int(clamping: spec.inputVectorSize), Int(clamping: spec.outputVectorSize))
    let x = try NNCell.steps(try context.input(), in: &context)
    let states = [try NNCell.state(1, in: &context), try NNCell.state(2, in: &context)]
    let weights = try self.weights(spec.weightParams, spec.params, sizes, "", &context)
    let results = try context.emit(op, all: [[x]] + states.map { $0.map { [$0] } ?? [] } + weights)
    var outputs: [ValueID] = []
    for result in results { outputs.append(try NNCell.widened(result, in: &context)) }
    return outputs
  }

  private static func both(_ spec: CoreML_Specification_BiDirectionalLSTMLayerParams, _ context: inout NNContext)
    throws(Diagnostic) -> [ValueID]
  {
    var op = try lstm(spec.params, spec.activationsForwardLstm)
    op.direction = "bidirectional"
    guard spec.weightParams.count == 2, try agree(spec) else {
      throw NNContext.unsupported("two directions need two sets of weights and the same activations")
    }
    let sizes = (Int(clamping: spec.inputVectorSize), Int(clamping: spec.outputVectorSize))
    let x = try NNCell.steps(try context.input(), in: &context)
    let initial = [try joined(1, 3, &context), try joined(2, 4, &context)]
    let forth = try weights(spec.weightParams[0], spec.params, sizes, "", &context)
    let back = try weights(spec.weightParams[1], spec.params, sizes, "_back", &context)
    let results = try context.emit(op, all: [[x]] + initial + forth + back)
    var outputs = [try NNCell.widened(results[0], in: &context)]
    guard context.layer.spec.output.count > 1 else { return outputs }
    let h = try context.emit(Split(axis: 1, count: 2), all: [[results[1]]])
    let c = try context.emit(Split(axis: 1, count: 2), all: [[results[2]]])
    for state in [h[0], c[0], h[1], c[1]] { outputs.append(try NNCell.widened(state, in: &context)) }
    return outputs
  }

  private static func agree(_ spec: CoreML_Specification_BiDirectionalLSTMLayerParams) throws(Diagnostic) -> Bool {
    if spec.activationsBackwardLstm.isEmpty { return true }
    let standard = ["sigmoid", "tanh", "tanh"]
    return try NNCell.names(spec.activationsForwardLstm, standard)
      == NNCell.names(spec.activationsBackwardLstm, standard)
  }

  private static func lstm(
    _ params: CoreML_Specification_LSTMParams,
    _ activations: [CoreML_Specification_ActivationParams]
  ) throws(Diagnostic) -> LSTM {
    guard !params.coupledInputAndForgetGate else {
      throw NNContext.unsupported("coupled input and forget gates are not supported")
    }
    guard params.cellClipThreshold == 0 || params.cellClipThreshold >= 50 else {
      throw NNContext.unsupported("a bound of \(params.cellClipThreshold) on cells is not supported")
    }
    let names = try NNCell.names(activations, ["sigmoid", "tanh", "tanh"])
    var op = LSTM()
    op.outputSequence = params.sequenceOutput
    (op.recurrentActivation, op.cellActivation, op.activation) = (names[0], names[1], names[2])
    op.clip = NNCell.clip(Array(names[..<2]))
    return op
  }

  /// The initial states of both directions side by side; none when the layer has none.
  private static func joined(_ forth: Int, _ back: Int, _ context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    guard context.inputCount > 1 else { return [] }
    guard let a = try NNCell.state(forth, in: &context), let b = try NNCell.state(back, in: &context) else {
      throw NNContext.wrong("there are \(context.inputCount) inputs, not 1 or 5")
    }
    return try context.emit(Concat(axis: 1), all: [[a, b]])
  }

  /// `weight_ih`, `weight_hh`, `bias` and `peephole` of one direction.
  private static func weights(
    _ spec: Weights,
    _ params: CoreML_Specification_LSTMParams,
    _ sizes: (Int, Int),
    _ suffix: String,
    _ context: inout NNContext
  ) throws(Diagnostic) -> [[ValueID]] {
    let (width, hidden) = sizes
    let input = [
      spec.inputGateWeightMatrix, spec.forgetGateWeightMatrix, spec.outputGateWeightMatrix, spec.blockInputWeightMatrix,
    ]
    let recursion = [
      spec.inputGateRecursionMatrix, spec.forgetGateRecursionMatrix, spec.outputGateRecursionMatrix,
      spec.blockInputRecursionMatrix,
    ]
    let ih = context.constant(try NNCell.stacked(input, "weights", hidden, width, in: context), "weight_ih" + suffix)
    let hh = context.constant(
      try NNCell.stacked(recursion, "recursion", hidden, hidden, in: context),
      "weight_hh" + suffix
    )
    let bias = try self.bias(spec, params, hidden, in: context).map { [context.constant($0, "bias" + suffix)] } ?? []
    guard params.hasPeepholeVectors_p else { return [[ih], [hh], bias, []] }
    let gates = [spec.inputGatePeepholeVector, spec.forgetGatePeepholeVector, spec.outputGatePeepholeVector]
    let peephole = try NNCell.stacked(gates, "peepholes", hidden, nil, in: context)
    return [[ih], [hh], bias, [context.constant(peephole, "peephole" + suffix)]]
  }

  /// Biases of all gates; that of the forget gate gets 1 more with `forgetBias`.
  private static func bias(
    _ spec: Weights,
    _ params: CoreML_Specification_LSTMParams,
    _ hidden: Int,
    in context: NNContext
  ) throws(Diagnostic) -> Tensor? {
    let gates = [
      spec.inputGateBiasVector, spec.forgetGateBiasVector, spec.outputGateBiasVector, spec.blockInputBiasVector,
    ]
    guard params.hasBiasVectors_p || params.forgetBias else { return nil }
    guard (0..<1 << 24).contains(hidden) else { throw NNContext.wrong("the states have \(hidden) elements") }
    var floats =
      params.hasBiasVectors_p
      ? try NNCell.stacked(gates, "biases", hidden, nil, in: context).floats : [Float](repeating: 0, count: 4 * hidden)
    if params.forgetBias { for index in hidden..<2 * hidden { floats[index] += 1 } }
    return Tensor([4 * hidden], floats: floats)
  }
}
