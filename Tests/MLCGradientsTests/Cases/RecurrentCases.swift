import MLCCore
import MLCGraph
import MLCOps

extension GradientCase {
  static let recurrent: [GradientCase] = [
    GradientCase("gru.directions") { draw in
      var op = GRU()
      (op.resetAfter, op.clip) = (draw.flag(), draw.flag() ? 9 : nil)
      op.recurrentActivation = draw.one(of: ["sigmoid", "linear"])
      return layer(op, &draw)
    },
    GradientCase("lstm.directions") { draw in
      var op = LSTM()
      (op.clip, op.cellClip) = (draw.flag() ? 9 : nil, draw.flag() ? 9 : nil)
      op.cellActivation = draw.one(of: ["tanh", "linear"])
      return layer(op, &draw)
    },
    GradientCase("rnn.directions") { draw in
      var op = RNN()
      (op.clip, op.activation) = (draw.flag() ? 9 : nil, draw.one(of: ["tanh", "sigmoid"]))
      return layer(op, &draw)
    },
  ]

  /// A layer of some direction on short sequences, its optional operands there or not.
  private static func layer<Op: RecurrentLayer>(_ op: Op, _ draw: inout Draw) -> DrawnOperation {
    var op = op
    (op.direction, op.outputSequence) = (draw.one(of: ["forward", "reverse", "bidirectional"]), draw.flag())
    let (steps, batch, input, hidden) = (draw.int(1...3), draw.int(1...2), draw.int(1...2), draw.int(1...2))
    let width = Op.gates * hidden
    var operands: [String: Tensor] = ["x": draw.reals([steps, batch, input], -1...1)]
    for name in Op.initialStates where draw.flag() {
      operands[name] = draw.reals([batch, op.directions * hidden], -1...1)
    }
    for suffix in op.directions == 2 ? ["", "_back"] : [""] {
      operands["weight_ih" + suffix] = draw.reals([width, input], -1...1)
      operands["weight_hh" + suffix] = draw.reals([width, hidden], -1...1)
      if draw.flag() { operands["bias" + suffix] = draw.reals([width], -1...1) }
      for vector in Op.vectors where draw.flag() {
        operands[vector.name + suffix] = draw.reals([vector.multiple * hidden], -1...1)
      }
    }
    if draw.flag() { operands["sequence_lens"] = draw.integers([batch], 0...steps) }
    return DrawnOperation(op, Op.portNames.map { name in operands[name].map { [$0] } ?? [] })
  }
}
