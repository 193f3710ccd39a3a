import MLCCore
import MLCGraph
import MLCOps

/// Recurrent layers: the input's part of every gate as one product for all steps, then a routine that walks the steps.
///
/// The packed routines take constant fp32 weights and plain gates; everything else is `Routine.recurrence`.
package protocol RecurrentLowerable: Lowerable, RecurrentLayer {
  /// The cell of the routine that takes everything, and what bounds arguments of activations.
  var cell: Routine.Recurrence.Cell { get }
  var clip: Double? { get }
  /// What bounds cells.
  var cellClip: Double? { get }
  /// The packed routine, and where it wants each gate of ours; `nil` when a gate is not plain.
  var packed: PackedForm? { get }
}

/// A recurrent layer that a packed routine computes.
package struct PackedForm: Sendable {
  package enum Cell: Sendable {
    case lstm
    case gru(linearBeforeReset: Bool)
    case rnn(Routine.Activation)
  }
  package var cell: Cell
  /// Our gates in the routine's order.
  package var order: [Int]
}

extension RecurrentLowerable {
  package var cellClip: Double? { nil }
  var suffixes: [String] { directions == 2 ? ["", "_back"] : [""] }
  var routineDirection: Routine.Direction {
    guard let known = Routine.Direction(rawValue: direction) else {
      preconditionFailure("inference knows no direction '\(direction)'")
    }
    return known
  }

  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    guard let hidden = context.fact("weight_hh").shape[1].constant, hidden > 0 else {
      throw Diagnostic(
        "lower.recurrent-size",
        "the number of hidden units is not known before run time",
        kind: .unsupported
      )
    }
    requireShapes(hidden, in: &context)
    let hasPeephole = Self.name == "lstm" && suffixes.contains { context.optionalFact("peephole" + $0) != nil }
    if let packed, !hasPeephole, isPackable(in: context) {
      try lowerPacked(packed, hidden, in: &context)
    } else {
      lowerPlain(hidden, in: &context)
    }
  }

  private func requireShapes(_ hidden: Int, in context: inout LoweringContext) {
    let x = context.fact("x").shape
    context.requireShape([x[1]], of: "sequence_lens")
    for name in Self.initialStates { context.requireShape([x[1], Dim(hidden * directions)], of: name) }
    let width = Dim(Self.gates * hidden)
    for suffix in suffixes {
      context.requireShape([width, x[2]], of: "weight_ih" + suffix)
      context.requireShape([width, Dim(hidden)], of: "weight_hh" + suffix)
      for (name, multiple) in [("bias", Self.gates)] + Self.vectors {
        context.requireShape([Dim(multiple * hidden)], of: name + suffix)
      }
    }
  }

  private func isPackable(in context: LoweringContext) -> Bool {
    guard context.fact("x").dtype == .float32 else { return false }
    return suffixes.allSatisfy { suffix in
      let weights = [context.fact("weight_ih" + suffix), context.fact("weight_hh" + suffix)]
      let vectors = (["bias"] + Self.vectors.map { $0.name }).compactMap { context.optionalFact($0 + suffix) }
      return (weights + vectors).allSatisfy { $0.isConstant }
    }
  }

  /// `x·Wᵀ + bias` for every step and direction: `[S·B, D·G·H]`, gates of direction d from column d·G·H on.
  ///
  /// With `order`, gate p of the result is gate `order[p]` of the weights, each computed by a product of its own.
  func project(
    _ weights: [(weight: TensorID, bias: TensorID?)],
    _ hidden: Int,
    order: [Int]? = nil,
    in context: inout LoweringContext
  ) -> TensorID {
    let x = context.input("x")
    let shape = context.program[x].shape
    let width = Self.gates * hidden
    let dtype = context.program[x].dtype
    let rows = context.alias(x, [shape[0] * shape[1], shape[2]])
    let gates = context.temporary("gates", dtype.widened, [shape[0] * shape[1], Dim(weights.count * width)])
    for (direction, part) in weights.enumerated() {
      let blocks = order.map { $0.enumerated().map { (from: $1 * hidden, to: $0 * hidden, count: hidden) } }
      for block in blocks ?? [(from: 0, to: 0, count: width)] {
        var params = KernelParams()
        let row = Index.axis(1) + .constant(block.from)
        let column = Index.axis(1) + .constant(direction * width + block.to)
        let matmul = Matmul(
          batch: [],
          m: Axis(0, shape[0] * shape[1]),
          n: Axis(1, Dim(block.count)),
          k: Axis(2, shape[2]),
          lhs: .init(params.read(rows), [.axis(0), .axis(2)]),
          rhs: .init(params.read(part.weight), [row, .axis(2)]),
          output: .init(params.write(gates), [.axis(0), column]),
          epilogue: part.bias.map { .accumulator + params.load($0, [row]) } ?? .accumulator
        )
        context.append("\(Self.name)_input", params, matmul.body(dtype: dtype))
      }
    }
    return gates
  }

  /// Any type, any activation, weights that data decides.
  private func lowerPlain(_ hidden: Int, in context: inout LoweringContext) {
    var inputs: [(weight: TensorID, bias: TensorID?)] = []
    for suffix in suffixes {
      inputs.append((context.input("weight_ih" + suffix), context.optionalInput("bias" + suffix)))
    }
    let gates = project(inputs, hidden, in: &context)
    var params = KernelParams()
    let gateParam = params.read(gates)
    var roles = Routine.Recurrence.Params(gates: gateParam, weights: [], vectors: [], y: 0, h: 0)
    for suffix in suffixes {
      roles.weights.append(params.read(context.input("weight_hh" + suffix)))
      var vector: TensorID?
      for own in Self.vectors where vector == nil { vector = context.optionalInput(own.name + suffix) }
      roles.vectors.append(vector.map { params.read($0) })
    }
    roles.initialH = context.optionalInput("initial_h").map { params.read($0) }
    roles.initialC = context.optionalInput("initial_c").map { params.read($0) }
    roles.lengths = context.optionalInput("sequence_lens").map { params.read($0) }
    (roles.y, roles.h) = (params.write(context.output(0)), params.write(context.output(1)))
    if Self.initialStates.count == 2 { roles.c = params.write(context.output(2)) }
    let x = context.fact("x").shape
    let recurrence = Routine.Recurrence(
      cell,
      steps: x[0],
      batch: x[1],
      hidden: hidden,
      direction: routineDirection,
      keepsSequence: outputSequence,
      clip: clip,
      cellClip: cellClip,
      params: roles
    )
    context.append(Self.name, params, .routine(.recurrence(recurrence)))
  }
}

/// `name` as inference has checked it.
private func known(_ name: String) -> Routine.Activation {
  guard let known = Routine.Activation(rawValue: name) else { preconditionFailure("inference knows no '\(name)'") }
  return known
}

extension LSTM: RecurrentLowerable {
  package var cell: Routine.Recurrence.Cell {
    .lstm(gates: known(recurrentActivation), cell: known(cellActivation), output: known(activation))
  }
  package var packed: PackedForm? {
    guard cell == .lstm(gates: .sigmoid, cell: .tanh, output: .tanh), clip == nil else { return nil }
    return PackedForm(cell: .lstm, order: [0, 2, 1, 3])
  }
}

extension GRU: RecurrentLowerable {
  package var cell: Routine.Recurrence.Cell {
    .gru(gates: known(recurrentActivation), output: known(activation), resetAfter: resetAfter)
  }
  package var packed: PackedForm? {
    guard cell == .gru(gates: .sigmoid, output: .tanh, resetAfter: resetAfter), clip == nil else { return nil }
    return PackedForm(cell: .gru(linearBeforeReset: resetAfter), order: [2, 0, 1])
  }
}

extension RNN: RecurrentLowerable {
  package var cell: Routine.Recurrence.Cell { .rnn(known(activation)) }
  package var packed: PackedForm? {
    clip == nil ? PackedForm(cell: .rnn(known(activation)), order: [0]) : nil
  }
}
