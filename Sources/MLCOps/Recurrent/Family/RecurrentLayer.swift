import MLCCore
import MLCGraph

/// A recurrent layer over sequences: `x: T[s, b, I]` → `y: T[s, b, D·H]`, final states `T[b, D·H]`, T floating point.
///
/// `direction` is `forward`, `reverse` or `bidirectional`; D is 2 for the last, whose second half of every output runs
/// in reverse with the `_back` weights. Without `output_sequence` y is `[1, b, D·H]`, the final h. With G gates:
/// `weight_ih: T[G·H, I]`, `weight_hh: T[G·H, H]`, `bias: T[G·H]?` (zeros), `initial_*: T[b, D·H]?` (zeros). mlc
/// extensions: initial states may be absent, `sequence_lens: int[b]` gives each sequence's length: later steps leave
/// states as they are and give 0; `bidirectional` everywhere. Throws `<operator>.weights`, `.direction`, `.activation`,
/// `.bias`, `.initial`, `.sequence-lens`, `.dtype`.
package protocol RecurrentLayer: Operator {
  var direction: String { get set }
  var outputSequence: Bool { get set }
  /// The activations by attribute.
  var activations: [String] { get }
  static var gates: Int { get }
  /// Ports of initial states, h first.
  static var initialStates: [String] { get }
  /// Optional vectors besides `bias`, with their length in H.
  static var vectors: [(name: String, multiple: Int)] { get }
}

extension RecurrentLayer {
  package var directions: Int { direction == "bidirectional" ? 2 : 1 }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    try requireFloat(x, "x")
    guard ["forward", "reverse", "bidirectional"].contains(direction) else {
      throw Diagnostic(.init("\(Self.name).direction"), "direction is '\(direction)'")
    }
    for name in activations where RecurrentActivation(rawValue: name) == nil {
      throw Diagnostic(.init("\(Self.name).activation"), "activation '\(name)' is not known", kind: .unsupported)
    }
    let hidden = inputs["weight_hh"].shape[1]
    for suffix in directions == 2 ? ["", "_back"] : [""] { try checkWeights(inputs, x, hidden, suffix) }
    let state = [x.shape[1], hidden * Dim(directions)]
    for name in Self.initialStates {
      guard let initial = inputs[optional: name] else { continue }
      try requireSameType(initial, name, as: x)
      guard zip(initial.shape, state).allSatisfy(fits) else {
        throw Diagnostic(.init("\(Self.name).initial"), "'\(name)' is \(initial.type); expected extents \(state)")
      }
    }
    if let lengths = inputs[optional: "sequence_lens"] {
      guard lengths.dtype.isInteger, fits(lengths.shape[0], x.shape[1]) else {
        throw Diagnostic(.init("\(Self.name).sequence-lens"), "'sequence_lens' is \(lengths.type) for \(x.type)")
      }
    }
    let y = Fact(x.dtype, [outputSequence ? x.shape[0] : 1] + state)
    return [y] + Self.initialStates.map { _ in Fact(x.dtype, state) }
  }

  private func checkWeights(_ inputs: Operands<Fact>, _ x: Fact, _ hidden: Dim, _ suffix: String) throws(Diagnostic) {
    guard let ih = inputs[optional: "weight_ih" + suffix], let hh = inputs[optional: "weight_hh" + suffix] else {
      throw Diagnostic(.init("\(Self.name).direction"), "direction is '\(direction)', but there are no weights back")
    }
    let width = hidden * Dim(Self.gates)
    try requireSameType(ih, "weight_ih" + suffix, as: x)
    try requireSameType(hh, "weight_hh" + suffix, as: x)
    guard fits(ih.shape[0], width), fits(ih.shape[1], x.shape[2]), fits(hh.shape[0], width), fits(hh.shape[1], hidden)
    else {
      let message = "the data is \(x.type), the weights are \(ih.type) and \(hh.type)"
      throw Diagnostic(.init("\(Self.name).weights"), message)
    }
    for (name, multiple) in [("bias", Self.gates)] + Self.vectors {
      try requireSameType(inputs[optional: name + suffix], name, as: x)
      try requireVector(inputs[optional: name + suffix], name, hidden * Dim(multiple))
    }
  }

  /// Runs every direction. `step` makes a direction's step from it and its vectors, in the order of `vectors`.
  func run(
    _ inputs: Operands<Tensor>,
    step: (RecurrentDirection, [[Double]?]) -> RecurrentDirection.Step
  ) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let shapes = try resultShapes(inputs)
    let (steps, batch, hidden) = (x.shape[0], x.shape[1], inputs["weight_hh"].shape[1])
    let lengths = try lengths(inputs, steps)
    let data = x.doubles
    var y = [Double](repeating: 0, count: steps * batch * directions * hidden)
    var finals = Self.initialStates.map { _ in [Double](repeating: 0, count: batch * directions * hidden) }
    for index in 0..<directions {
      let suffix = index == 1 ? "_back" : ""
      let pass = RecurrentDirection(
        steps: steps,
        batch: batch,
        input: x.shape[2],
        hidden: hidden,
        gates: Self.gates,
        weightIH: inputs["weight_ih" + suffix].doubles,
        weightHH: inputs["weight_hh" + suffix].doubles,
        bias: inputs[optional: "bias" + suffix]?.doubles,
        reverse: index == 1 || direction == "reverse",
        lengths: lengths
      )
      var states = Self.initialStates.map { initial(inputs[optional: $0], batch, hidden, index) }
      let vectors = Self.vectors.map { inputs[optional: $0.name + suffix]?.doubles }
      let part = pass.run(data, &states, step: step(pass, vectors))
      place(part, rows: steps * batch, hidden, index, in: &y)
      for state in states.indices { place(states[state], rows: batch, hidden, index, in: &finals[state]) }
    }
    let first = Tensor(x.dtype, shapes[0], outputSequence ? y : finals[0])
    return [first] + finals.map { Tensor(x.dtype, shapes[1], $0) }
  }

  private func lengths(_ inputs: Operands<Tensor>, _ steps: Int) throws(Diagnostic) -> [Int]? {
    guard let lengths = inputs[optional: "sequence_lens"]?.integers else { return nil }
    guard lengths.allSatisfy({ $0 >= 0 && $0 <= steps }) else {
      throw Diagnostic(.init("\(Self.name).sequence-lens"), "sequence lengths \(lengths) of \(steps) steps")
    }
    return lengths
  }

  /// The columns of `tensor` that belong to direction `index`, or zeros.
  private func initial(_ tensor: Tensor?, _ batch: Int, _ hidden: Int, _ index: Int) -> [Double] {
    guard let values = tensor?.doubles else { return [Double](repeating: 0, count: batch * hidden) }
    var part: [Double] = []
    for row in 0..<batch {
      let start = (row * directions + index) * hidden
      part += values[start..<start + hidden]
    }
    return part
  }

  private func place(_ part: [Double], rows: Int, _ hidden: Int, _ index: Int, in whole: inout [Double]) {
    for row in 0..<rows {
      for j in 0..<hidden { whole[(row * directions + index) * hidden + j] = part[row * hidden + j] }
    }
  }
}
