import MLCCore
import MLCGraph
import MLCOps

extension RecurrentLowerable {
  /// Constant fp32 weights and plain gates: the packed routines. A peephole makes the routine `recurrent` necessary and
  /// is excluded by the caller.
  func lowerPacked(_ packed: PackedForm, _ hidden: Int, in context: inout LoweringContext) throws(Diagnostic) {
    let inputs = inputWeights(packed.order, in: &context)
    let (weights, order) = recurrentWeights(packed, hidden, in: &context)
    let gates = project(inputs.parts, hidden, order: inputs.keepsOrder ? packed.order : nil, in: &context)
    let batch = context.fact("x").shape[1]
    let states = [Dim(directions), batch, Dim(hidden)]
    var initial: [TensorID] = []
    for name in Self.initialStates { initial.append(try context.initialState(name, states)) }
    var params = KernelParams()
    _ = params.read(gates)
    _ = params.read(weights)
    if case .gru(let isLinear) = packed.cell {
      _ = params.read(hiddenBias(hidden, isAdded: isLinear, in: &context))
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
    let lengths = context.optionalInput("sequence_lens")
    if let lengths { _ = params.read(lengths) }
    let rows = states[0] * batch
    _ = params.write(context.temporary("memory", .float32, [rows, Dim(Routine.PackedRecurrence.memory(hidden))]))
    let recurrence = Routine.PackedRecurrence(
      steps: steps,
      batch: batch,
      hidden: hidden,
      direction: routineDirection,
      order: order,
      hasLengths: lengths != nil,
      cellClip: cellClip
    )
    switch packed.cell {
    case .lstm: context.append(Self.name, params, .routine(.packedLSTM(recurrence)))
    case .gru(let isLinear):
      context.append(Self.name, params, .routine(.packedGRU(recurrence, linearBeforeReset: isLinear)))
    case .rnn(let function): context.append(Self.name, params, .routine(.packedRNN(recurrence, function)))
    }
    try context.joinDirections(y, finals, outputSequence: outputSequence, hidden: hidden)
  }

  /// The input's weights and bias of each direction: gates in `order`, or as the graph has them where they are codes.
  private func inputWeights(_ order: [Int], in context: inout LoweringContext)
    -> (parts: [(weight: TensorID, bias: TensorID?)], keepsOrder: Bool)
  {
    let keepsOrder = suffixes.contains { context.fact("weight_ih" + $0).isCompressed }
    var parts: [(weight: TensorID, bias: TensorID?)] = []
    for suffix in suffixes {
      let (weight, bias) = ("weight_ih" + suffix, "bias" + suffix)
      if keepsOrder {
        parts.append((context.input(weight), context.optionalInput(bias)))
      } else {
        let hasBias = context.optionalFact(bias) != nil
        parts.append((context.constant(weight, order), hasBias ? context.constant(bias, order) : nil))
      }
    }
    return (parts, keepsOrder)
  }

  /// The recurrent weights `[D, G·H, H]`, and which gate of them each gate of the routine is.
  private func recurrentWeights(_ packed: PackedForm, _ hidden: Int, in context: inout LoweringContext)
    -> (TensorID, order: [Int])
  {
    if let stacked = context.stackedCodes(suffixes.map { "weight_hh" + $0 }) {
      return (context.compressed(stacked, "recurrent"), packed.order)
    }
    var rows: [Float] = []
    for suffix in suffixes {
      let weight = context.writtenOut("weight_hh" + suffix, because: "the directions' weights differ in form")
      rows += weight!.permutingBlocks(packed.order).floats
    }
    let shape = [directions, Self.gates * hidden, hidden]
    return (context.constant(Tensor(shape, floats: rows), "recurrent"), Array(0..<Self.gates))
  }

  /// The bias of the hidden state's part, `[D, H]`; zeros where the graph has none, or one that the layer does not add.
  private func hiddenBias(_ hidden: Int, isAdded: Bool, in context: inout LoweringContext) -> TensorID {
    var values: [Float] = []
    for suffix in suffixes {
      let name = Self.vectors.first.map { $0.name + suffix }
      let given = name.flatMap { !isAdded || context.optionalFact($0) == nil ? nil : $0 }
      let bias = given.flatMap { context.writtenOut($0, because: "a bias is added as it is") }
      values += bias?.floats ?? [Float](repeating: 0, count: hidden)
    }
    return context.constant(Tensor([directions, hidden], floats: values), "hidden_bias")
  }
}

extension LoweringContext {
  /// The arguments `names` one after the other, when all are compressed and alike.
  fileprivate mutating func stackedCodes(_ names: [String]) -> CompressedConstant? {
    var parts: [CompressedConstant] = []
    for name in names {
      let source = input(name)
      guard let part = program.compressed(source), program.root(source) == source else { return nil }
      parts.append(part)
    }
    return CompressedConstant.stacked(parts)
  }

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
