import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `uniDirectionalLSTM` and `biDirectionalLSTM`. Outputs the sequence or its last step, and on demand the states h and
/// c, in each direction. Cells are bounded by ±50 where the layer says nothing else. A forget gate that is coupled is 1
/// less the input gate. Lines of planes are sequences too (`NNLines`).
enum NNLSTM: NNLayerRule {
  static let kinds = ["uniDirectionalLSTM", "biDirectionalLSTM"]
  private typealias Weights = CoreML_Specification_LSTMWeightParams

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .biDirectionalLstm(let spec)? = layer.spec.layer { return try both(spec, &context) }
    let spec = layer.spec.uniDirectionalLstm
    var op = try lstm(spec.params, spec.activations)
    op.direction = spec.reverseInput ? "reverse" : "forward"
    let sizes = (Int(clamping: spec.inputVectorSize), Int(clamping: spec.outputVectorSize))
    let (x, lines) = try NNCell.sequence(width: sizes.0, in: &context)
    let states = [try NNCell.state(1, in: &context), try NNCell.state(2, in: &context)]
    let weights = try self.weights(spec.weightParams, spec.params, sizes, "", &context)
    let results = try context.emit(op, all: [[x]] + states.map { $0.map { [$0] } ?? [] } + weights)
    if let lines { return [try lines.planes(results[0], in: &context)] }
    var outputs: [ValueID] = []
    for result in results { outputs.append(try NNCell.widened(result, in: &context)) }
    return outputs
  }

  private static func both(_ spec: CoreML_Specification_BiDirectionalLSTMLayerParams, _ context: inout NNContext)
    throws(Diagnostic) -> [ValueID]
  {
    var op = try lstm(spec.params, spec.activationsForwardLstm)
    op.direction = "bidirectional"
    guard spec.weightParams.count == 2 else {
      throw NNContext.wrong("there are \(spec.weightParams.count) sets of weights for two directions")
    }
    let sizes = (Int(clamping: spec.inputVectorSize), Int(clamping: spec.outputVectorSize))
    let (x, lines) = try NNCell.sequence(width: sizes.0, in: &context)
    let forth = try weights(spec.weightParams[0], spec.params, sizes, "", &context)
    let back = try weights(spec.weightParams[1], spec.params, sizes, "_back", &context)
    let y: ValueID
    var states: [ValueID] = []
    if try agree(spec) {
      let initial = [try joined(1, 3, &context), try joined(2, 4, &context)]
      let results = try context.emit(op, all: [[x]] + initial + forth + back)
      y = results[0]
      if context.layer.spec.output.count > 1 {
        let h = try context.emit(Split(axis: 1, count: 2), all: [[results[1]]])
        let c = try context.emit(Split(axis: 1, count: 2), all: [[results[2]]])
        states = [h[0], c[0], h[1], c[1]]
      }
    } else {
      var other = try lstm(spec.params, spec.activationsBackwardLstm)
      (op.direction, other.direction) = ("forward", "reverse")
      let a = try single(op, x, forth, states: 1, &context)
      let b = try single(other, x, back, states: 3, &context)
      y = try context.emit(Concat(axis: -1), all: [[a[0], b[0]]])[0]
      states = [a[1], a[2], b[1], b[2]]
    }
    if let lines { return [try lines.planes(y, in: &context)] }
    var outputs = [try NNCell.widened(y, in: &context)]
    guard context.layer.spec.output.count > 1 else { return outputs }
    for state in states { outputs.append(try NNCell.widened(state, in: &context)) }
    return outputs
  }

  /// One direction, whose initial states are inputs `states` and the one behind it, if there are some.
  private static func single(
    _ op: LSTM,
    _ x: ValueID,
    _ weights: [[ValueID]],
    states: Int,
    _ context: inout NNContext
  ) throws(Diagnostic) -> [ValueID] {
    let initial = [try NNCell.state(states, in: &context), try NNCell.state(states + 1, in: &context)]
    return try context.emit(op, all: [[x]] + initial.map { $0.map { [$0] } ?? [] } + weights)
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
    guard params.cellClipThreshold >= 0 else {
      throw NNContext.wrong("a bound of \(params.cellClipThreshold) on cells")
    }
    let names = try NNCell.names(activations, ["sigmoid", "tanh", "tanh"])
    var op = LSTM()
    op.outputSequence = params.sequenceOutput
    (op.recurrentActivation, op.cellActivation, op.activation) = (names[0], names[1], names[2])
    guard !params.coupledInputAndForgetGate || ["sigmoid", "hard_sigmoid"].contains(names[0]) else {
      throw NNContext.unsupported("gates of \(names[0]) are coupled")
    }
    op.clip = NNCell.clip(Array(names[..<2]))
    op.cellClip = params.cellClipThreshold == 0 ? 50 : Double(params.cellClipThreshold)
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
    let isCoupled = params.coupledInputAndForgetGate
    let input = [
      spec.inputGateWeightMatrix, isCoupled ? spec.inputGateWeightMatrix : spec.forgetGateWeightMatrix,
      spec.outputGateWeightMatrix, spec.blockInputWeightMatrix,
    ]
    let recursion = [
      spec.inputGateRecursionMatrix, isCoupled ? spec.inputGateRecursionMatrix : spec.forgetGateRecursionMatrix,
      spec.outputGateRecursionMatrix, spec.blockInputRecursionMatrix,
    ]
    func stacked(_ gates: [NNWeightSpec], _ name: String, _ columns: Int?) throws(Diagnostic) -> Tensor {
      coupled(try NNCell.stacked(gates, name, hidden, columns, in: context), hidden, isCoupled)
    }
    let ih = context.constant(try stacked(input, "weights", width), "weight_ih" + suffix)
    let hh = context.constant(try stacked(recursion, "recursion", hidden), "weight_hh" + suffix)
    let bias = try self.bias(spec, params, hidden, in: context).map { [context.constant($0, "bias" + suffix)] } ?? []
    guard params.hasPeepholeVectors_p else { return [[ih], [hh], bias, []] }
    let gates = [
      spec.inputGatePeepholeVector, isCoupled ? spec.inputGatePeepholeVector : spec.forgetGatePeepholeVector,
      spec.outputGatePeepholeVector,
    ]
    let peephole = try stacked(gates, "peepholes", nil)
    return [[ih], [hh], bias, [context.constant(peephole, "peephole" + suffix)]]
  }

  /// `gates` with the forget gate's rows, which are those of the input gate, negated: `1 − σ(x)` is `σ(−x)`.
  private static func coupled(_ gates: Tensor, _ hidden: Int, _ isCoupled: Bool) -> Tensor {
    guard isCoupled, hidden > 0, gates.rank > 0 else { return gates }
    var floats = gates.floats
    let count = floats.count / gates.shape[0] * hidden
    for index in 0..<count { floats[count + index] = -floats[index] }
    return Tensor(gates.shape, floats: floats)
  }

  /// Biases of all gates; that of the forget gate gets 1 more with `forgetBias`.
  private static func bias(
    _ spec: Weights,
    _ params: CoreML_Specification_LSTMParams,
    _ hidden: Int,
    in context: NNContext
  ) throws(Diagnostic) -> Tensor? {
    let gates = [
      spec.inputGateBiasVector,
      params.coupledInputAndForgetGate ? spec.inputGateBiasVector : spec.forgetGateBiasVector,
      spec.outputGateBiasVector, spec.blockInputBiasVector,
    ]
    guard params.hasBiasVectors_p || params.forgetBias else { return nil }
    guard (0..<1 << 24).contains(hidden) else { throw NNContext.wrong("the states have \(hidden) elements") }
    var floats =
      params.hasBiasVectors_p
      ? try NNCell.stacked(gates, "biases", hidden, nil, in: context).floats : [Float](repeating: 0, count: 4 * hidden)
    if params.coupledInputAndForgetGate { return coupled(Tensor([4 * hidden], floats: floats), hidden, true) }
    if params.forgetBias { for index in hidden..<2 * hidden { floats[index] += 1 } }
    return Tensor([4 * hidden], floats: floats)
  }
}
