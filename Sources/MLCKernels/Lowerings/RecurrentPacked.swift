import MLCCore
import MLCGraph
import MLCOps

extension RecurrentLowerable {
  /// Constant fp32 weights and plain gates: the packed routines. A peephole makes the routine `recurrent` necessary and is
  /// excluded by the caller.
  func lowerPacked(_ packed: PackedRecurrence, _ hidden: Int, in context: inout LoweringContext) throws(Diagnostic) {
    var inputs: [(weight: TensorID, bias: TensorID?)] = []
    var recurrent: [Float] = []
    var hiddenBias: [Float] = []
    // Codes keep the order of the graph.
    let keepsOrder = suffixes.contains { context.fact("weight_ih" + $0).isCompressed }
    for suffix in suffixes {
      let (weight, bias) = ("weight_ih" + suffix, "bias" + suffix)
      if keepsOrder {
        inputs.append((context.input(weight), context.optionalInput(bias)))
      } else {
        let hasBias = context.optionalFact(bias) != nil
        inputs.append(
          (context.constant(weight, packed.order), hasBias ? context.constant(bias, packed.order) : nil)
        )
      }
      let rows = context.writtenOut("weight_hh" + suffix, because: "a step needs all of it at once")
      recurrent += rows!.permutingBlocks(packed.order).floats
      let zeros = [Float](repeating: 0, count: hidden)
      hiddenBias +=
        Self.vectors.first.flatMap { vector in
          context.optionalFact(vector.name + suffix).flatMap { _ in
            context.writtenOut(vector.name + suffix, because: "a step needs all of it at once")?.floats
          }
        } ?? zeros
    }
    let gates = project(inputs, hidden, order: keepsOrder ? packed.order : nil, in: &context)
    let batch = context.fact("x").shape[1]
    let states = [Dim(directions), batch, Dim(hidden)]
    let width = Self.gates * hidden
    var initial: [TensorID] = []
    for name in Self.initialStates { initial.append(try context.initialState(name, states)) }
    let weights = context.constant(Tensor([directions, width, hidden], floats: recurrent), "recurrent")
    var params = KernelParams()
    _ = params.read(gates)
    _ = params.read(weights)
    if packed.routine == "gru" {
      _ = params.read(context.constant(Tensor([directions, hidden], floats: hiddenBias), "hidden_bias"))
    }
    // The routine knows its parameters by position: one for each state, also where the graph gives one value twice.
    for (number, tensor) in initial.enumerated() {
      let own = initial[..<number].contains(tensor) ? try context.copied(tensor, states) : tensor
      _ = params.read(own)
    }
    let steps = context.fact("x").shape[0]
    let y = context.temporary("steps", .float32, [steps] + states)
    let finals = Self.initialStates.map { context.temporary("final_\($0)", .float32, states) }
    _ = params.write(y)
    for tensor in finals { _ = params.write(tensor) }
    var options = packed.options
    options["direction"] = direction
    let routine = Routine(packed.routine, sizes: [steps, batch, Dim(hidden)], options: options)
    context.append(Self.name, params, .routine(routine))
    try context.joinDirections(y, finals, outputSequence: outputSequence, hidden: hidden)
  }
}

extension LoweringContext {
  /// The constant argument `name` with its gates in another order.
  fileprivate mutating func constant(_ name: String, _ order: [Int]) -> TensorID {
    constant(writtenOut(name, because: "its gates change places")!.permutingBlocks(order), name)
  }

  /// The initial state `name`, `[B, D·H]` or absent, as `[D, B, H]`.
  fileprivate mutating func initialState(_ name: String, _ states: [Dim]) throws(Diagnostic) -> TensorID {
    let given = optionalInput(name)
    if let given, states[0] == 1 { return alias(given, states) }
    let state = temporary(name, .float32, states)
    try map("initial_state", to: state) { (params, axes) throws(Diagnostic) in
      guard let given else { return .number(0, .float32) }
      return params.load(given, [axes[1], axes[0] * states[2] + axes[2]])
    }
    return state
  }

  fileprivate mutating func copied(_ tensor: TensorID, _ shape: [Dim]) throws(Diagnostic) -> TensorID {
    let copy = temporary("copy", program[tensor].dtype, shape)
    try map("copy", to: copy) { (params, axes) throws(Diagnostic) in params.load(tensor, axes) }
    return copy
  }

  /// The outputs `[S, B, D·H]` and `[B, D·H]` from `[S, D, B, H]` and `[D, B, H]`.
  fileprivate mutating func joinDirections(
    _ y: TensorID,
    _ finals: [TensorID],
    outputSequence: Bool,
    hidden: Int
  ) throws(Diagnostic) {
    let h = Dim(hidden)
    let isSingle = program[y].shape[1] == 1
    for (number, state) in finals.enumerated() {
      if isSingle {
        setOutput(number + 1, to: state)
      } else {
        try map("join_directions", to: output(number + 1)) { (params, axes) throws(Diagnostic) in
          params.load(state, [axes[1].dividedFloor(by: h), axes[0], axes[1].modulo(h)])
        }
      }
    }
    if !outputSequence {
      let last = tensor(of: operation.outputs[1])
      return setOutput(0, to: last)
    }
    if isSingle { return setOutput(0, to: y) }
    try map("join_directions", to: output(0)) { (params, axes) throws(Diagnostic) in
      params.load(y, [axes[0], axes[2].dividedFloor(by: h), axes[1], axes[2].modulo(h)])
    }
  }
}

extension Tensor {
  /// The first axis cut in `order.count` equal blocks, block k of the result being block `order[k]`; fp32.
  fileprivate func permutingBlocks(_ order: [Int]) -> Tensor {
    let values = floats
    let size = count / order.count
    return Tensor(shape, floats: order.flatMap { values[$0 * size..<($0 + 1) * size] })
  }
}
