import MLCCore
import MLCGraph
import MLCOps

/// What an ONNX recurrent node says: its kind, its size, and its weights in MIL's order of gates.
struct ONNXRecurrentLayer {
  let kind: String, direction: String
  let hidden: Int
  let clip: Double?
  let activations: [String]
  let linearBeforeReset: Bool

  /// ONNX gate numbers in MIL's order: LSTM i o f z to i f o z, GRU z r o to r o z.
  private var order: [Int] { kind == "LSTM" ? [0, 2, 1, 3] : kind == "GRU" ? [1, 2, 0] : [0] }
  var directions: Int { direction == "bidirectional" ? 2 : 1 }

  init(_ node: ONNXNode, _ context: ONNXContext) throws(Diagnostic) {
    kind = node.opType
    direction = try node.string("direction", default: "forward")
    let recurrence = context.fact(try context.required(2))
    guard recurrence.rank == 3, let size = recurrence.shape[2].constant, 1...1 << 24 ~= size else {
      throw Diagnostic("onnx.hidden-size", "the recurrence weight is \(recurrence.type), its last extent not 1 to 2^24")
    }
    hidden = size
    clip = try node.float("clip").map { Double($0) }
    linearBeforeReset = try node.flag("linear_before_reset")
    if try node.flag("input_forget") {
      throw Diagnostic("onnx.input-forget", "coupled input and forget gates are not supported", kind: .unsupported)
    }
    activations = try ONNXRecurrentLayer.activations(node, directions: direction == "bidirectional" ? 2 : 1)
  }

  private static let defaults = ["LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]]
  private static let known = ["sigmoid": "sigmoid", "tanh": "tanh", "relu": "relu", "hardsigmoid": "hard_sigmoid"]

  private static func activations(_ node: ONNXNode, directions: Int) throws(Diagnostic) -> [String] {
    let usual = defaults[node.opType] ?? []
    let names = (try node.strings("activations") ?? (usual + (directions == 2 ? usual : []))).map { $0.lowercased() }
    guard names.count == usual.count * directions, Array(names.suffix(usual.count)) == Array(names.prefix(usual.count))
    else {
      throw Diagnostic(
        "onnx.activations",
        "activations \(names) differ between directions or are too few",
        kind: .unsupported
      )
    }
    let (alpha, beta) = (try node.floats("activation_alpha"), try node.floats("activation_beta"))
    let scaled = alpha != nil || beta != nil
    var result: [String] = []
    for name in names.prefix(usual.count) {
      guard let activation = known[name], !(scaled && name == "hardsigmoid") else {
        throw Diagnostic(
          "onnx.activations",
          "activation '\(name)' of \(node.opType) is not supported",
          kind: .unsupported
        )
      }
      result.append(activation)
    }
    return result
  }

  func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    switch kind {
    case "LSTM":
      var op = LSTM()
      (op.direction, op.outputSequence, op.clip) = (direction, true, clip)
      (op.recurrentActivation, op.cellActivation, op.activation) = (activations[0], activations[1], activations[2])
      return op
    case "GRU":
      var op = GRU()
      (op.direction, op.outputSequence, op.clip, op.resetAfter) = (direction, true, clip, linearBeforeReset)
      (op.recurrentActivation, op.activation) = (activations[0], activations[1])
      return op
    default:
      var op = RNN()
      (op.direction, op.outputSequence, op.clip, op.activation) = (direction, true, clip, activations[0])
      return op
    }
  }

  /// Weights, bias and further vectors of direction `index`, as the operator's ports take them.
  func operands(_ index: Int, in context: inout ONNXContext) throws(Diagnostic) -> [[ValueID]] {
    let weights = [
      [try gates(try part(1, index, in: &context), in: &context)],
      [try gates(try part(2, index, in: &context), in: &context)],
    ]
    var (bias, vector): ([ValueID], [ValueID]) = ([], [])
    if context.input(3) != nil {
      let both = try part(3, index, in: &context)
      let count = order.count * hidden
      let halves = try split(both, [count, count], in: &context)
      var recurrent = try split(halves[1], order.map { _ in hidden }, in: &context)
      if kind == "GRU", linearBeforeReset {
        vector = [recurrent[2]]
        recurrent[2] = context.constant(
          Tensor(context.fact(both).dtype, [hidden], [Double](repeating: 0, count: hidden))
        )
      }
      let joined = try context.emit(Concat(axis: 0), all: [order.map { recurrent[$0] }])[0]
      bias = [try context.emit(Add(), try gates(halves[0], in: &context), joined)]
    }
    if kind == "LSTM", context.input(7) != nil {
      let peephole = try split(try part(7, index, in: &context), [hidden, hidden, hidden], in: &context)
      vector = try context.emit(Concat(axis: 0), all: [[peephole[0], peephole[2], peephole[1]]])
    }
    return weights + (kind == "RNN" ? [bias] : [bias, vector])
  }

  /// Input `input` of the node without its leading axis of directions.
  private func part(_ input: Int, _ index: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let whole = try context.required(input)
    let parts = directions == 1 ? [whole] : try split(whole, [1, 1], in: &context)
    return try context.emit(Squeeze([0]), parts[index])
  }

  private func gates(_ weight: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    guard order.count > 1 else { return weight }
    let parts = try split(weight, order.map { _ in hidden }, in: &context)
    return try context.emit(Concat(axis: 0), all: [order.map { parts[$0] }])[0]
  }

  private func split(_ x: ValueID, _ sizes: [Int], in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    sizes.count == 1 ? [x] : try context.emit(Split(axis: 0, sizes: sizes), all: [[x]])
  }
}
