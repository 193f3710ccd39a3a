import MLCCore
import MLCGraph
import MLCOps

/// The cell of a recurrent layer: its kind, activations, and weights in MIL's order of gates.
struct KerasCell {
  let kind: String
  private let activation: String, recurrentActivation: String
  private let usesBias: Bool, resetAfter: Bool
  /// `hard_sigmoid` of Keras 3 is x/6 + ½, MIL's 0.2·x + ½: weights of its gates take the difference.
  private let gateScale: Double

  var stateCount: Int { kind == "LSTM" ? 2 : 1 }

  /// Throws `keras.recurrent-activation` for functions that recurrent layers of mlc do not have.
  init(_ kind: String, _ config: KerasConfig, _ context: KerasContext) throws(Diagnostic) {
    self.kind = kind
    usesBias = try config.bool("use_bias", default: true)
    resetAfter = try config.bool("reset_after", default: false)
    activation = try KerasCell.activation(config, "activation", default: "tanh")
    let gate =
      kind == "SimpleRNN" ? "sigmoid" : try KerasCell.activation(config, "recurrent_activation", default: "sigmoid")
    recurrentActivation = gate
    gateScale = gate == "hard_sigmoid" && !context.isKeras2 ? 5.0 / 6 : 1
    if activation == "hard_sigmoid", !context.isKeras2 { throw KerasCell.unsupported("activation", activation) }
  }

  private static func activation(
    _ config: KerasConfig,
    _ key: String,
    default other: String
  ) throws(Diagnostic) -> String {
    let name = config[key] == nil ? "linear" : try KerasActivation(config, key).name
    guard ["sigmoid", "tanh", "relu", "linear", "hard_sigmoid"].contains(name) else { throw unsupported(key, name) }
    return name
  }

  private static func unsupported(_ key: String, _ name: String) -> Diagnostic {
    Diagnostic(
      "keras.recurrent-activation",
      "\(key) '\(name)' of a recurrent layer is not supported",
      kind: .unsupported
    )
  }

  /// The gates of Keras in MIL's order: LSTM i f c o to i f o c, GRU z r h to r h z. Those that `recurrent_activation`
  /// takes are marked.
  private var order: [(gate: Int, isGate: Bool)] {
    switch kind {
    case "LSTM": [(0, true), (1, true), (3, true), (2, false)]
    case "GRU": [(1, true), (2, false), (0, true)]
    default: [(0, false)]
    }
  }

  /// Outputs of all steps or the last, then the final states. `x` is `[steps, batch, C]`.
  func emit(
    _ x: ValueID,
    _ states: [ValueID],
    direction: String,
    sequence: Bool,
    lengths: ValueID?,
    in context: inout KerasContext
  ) throws(Diagnostic) -> [ValueID] {
    let dtype = context.fact(x).dtype
    let kernel = try context.prepared("weight_ih", dtype) { (context) throws(Diagnostic) in
      try matrix(try context.weight(0, dtype, rank: 2), &context)
    }
    let recurrent = try context.prepared("weight_hh", dtype) { (context) throws(Diagnostic) in
      try matrix(try context.weight(1, dtype, rank: 2), &context)
    }
    var inputs: [[ValueID]] = [[x]]
    inputs += (0..<stateCount).map { $0 < states.count ? [states[$0]] : [] }
    inputs += [[kernel], [recurrent]]
    let biases = try self.biases(dtype, &context)
    inputs += kind == "SimpleRNN" ? [biases.all] : [biases.all, biases.hidden]
    // The weights of a second direction are left out.
    inputs += [[ValueID]](repeating: [], count: kind == "SimpleRNN" ? 3 : 4)
    inputs.append(lengths.map { [$0] } ?? [])
    return try context.emit(op(direction, sequence), all: inputs)
  }

  private func op(_ direction: String, _ sequence: Bool) -> any Operator {
    switch kind {
    case "LSTM":
      var op = LSTM()
      (op.direction, op.outputSequence) = (direction, sequence)
      (op.recurrentActivation, op.cellActivation, op.activation) = (recurrentActivation, activation, activation)
      return op
    case "GRU":
      var op = GRU()
      (op.direction, op.outputSequence, op.resetAfter) = (direction, sequence, resetAfter)
      (op.recurrentActivation, op.activation) = (recurrentActivation, activation)
      return op
    default:
      var op = RNN()
      (op.direction, op.outputSequence, op.activation) = (direction, sequence, activation)
      return op
    }
  }

  /// `[K, G·H]` of Keras as `[G·H, K]` with the gates in MIL's order.
  private func matrix(_ weight: ValueID, _ context: inout KerasContext) throws(Diagnostic) -> ValueID {
    try context.emit(Transpose([1, 0]), try gates(weight, axis: 1, &context))
  }

  private func parts(_ weight: ValueID, axis: Int, _ context: inout KerasContext) throws(Diagnostic) -> [ValueID] {
    let count = order.count
    guard let extent = context.fact(weight).shape[axis].constant, extent > 0, extent.isMultiple(of: count) else {
      throw Diagnostic("keras.weights", "the weight \(context.fact(weight).type) does not divide into \(count) gates")
    }
    if count == 1 { return [weight] }
    return try context.emit(Split(axis: axis, count: count), all: [[weight]])
  }

  private func gates(_ weight: ValueID, axis: Int, _ context: inout KerasContext) throws(Diagnostic) -> ValueID {
    let parts = try parts(weight, axis: axis, &context)
    if parts.count == 1 { return weight }
    var ordered: [ValueID] = []
    for (gate, isGate) in order { ordered.append(try scaled(parts[gate], isGate, &context)) }
    return try context.emit(Concat(axis: axis), all: [ordered])[0]
  }

  private func scaled(_ part: ValueID, _ isGate: Bool, _ context: inout KerasContext) throws(Diagnostic) -> ValueID {
    guard isGate, gateScale != 1 else { return part }
    return try context.emit(Mul(), part, context.scalar(gateScale, like: part))
  }

  /// The bias of all gates, and GRU's own inside of the reset when that comes after the product.
  private func biases(
    _ dtype: DType,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> (all: [ValueID], hidden: [ValueID]) {
    guard usesBias else { return ([], []) }
    guard kind == "GRU", resetAfter else {
      let bias = try context.prepared("bias", dtype) { (context) throws(Diagnostic) in
        try gates(try context.weight(2, dtype, rank: 1), axis: 0, &context)
      }
      return ([bias], [])
    }
    let both = try context.weight(2, dtype, rank: 2)
    let sum = try context.prepared("bias", dtype) { (context) throws(Diagnostic) in
      let rows = try context.emit(Split(axis: 0, count: 2), all: [[both]])
      let input = try parts(try context.emit(Squeeze([0]), rows[0]), axis: 0, &context)
      let recurrent = try parts(try context.emit(Squeeze([0]), rows[1]), axis: 0, &context)
      var ordered: [ValueID] = []
      for (gate, isGate) in order {
        let whole = isGate ? try context.emit(Add(), input[gate], recurrent[gate]) : input[gate]
        ordered.append(try scaled(whole, isGate, &context))
      }
      return try context.emit(Concat(axis: 0), all: [ordered])[0]
    }
    let hidden = try context.prepared("hidden_bias", dtype) { (context) throws(Diagnostic) in
      let rows = try context.emit(Split(axis: 0, count: 2), all: [[both]])
      return try parts(try context.emit(Squeeze([0]), rows[1]), axis: 0, &context)[2]
    }
    return ([sum], [hidden])
  }
}
