import MLCCore
import MLCGraph
import MLCOps

extension LSTM: MILLegalizable {
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    try addInitialStates(self, use, in: &builder)
  }
}

extension GRU: MILLegalizable {
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    try addInitialStates(self, use, in: &builder)
  }
}

extension RNN: MILLegalizable {
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    try addInitialStates(self, use, in: &builder)
  }
}

/// Zeros for the initial states that are absent, which MIL demands; nothing where they would be more than 2²⁴.
private func addInitialStates(_ op: some RecurrentLayer, _ use: LegalizedUse, in builder: inout Builder)
  throws(Diagnostic) -> [ValueID]?
{
  let ports = type(of: op).portNames
  let states = type(of: op).initialStates.compactMap { ports.firstIndex(of: $0) }
  guard let x = use[0], let weight = ports.firstIndex(of: "weight_hh").flatMap({ use[$0] }),
    let batch = builder.fact(x).shape[1].constant, let hidden = builder.fact(weight).shape[1].constant,
    states.contains(where: { use[$0] == nil }),
    case let shape = [batch, hidden, op.directions], let count = shape.checkedProduct, count <= 1 << 24
  else { return nil }
  var inputs = use.inputs
  for state in states where inputs[state].isEmpty {
    let zeros = Tensor(
      builder.fact(x).dtype,
      [batch, hidden * op.directions],
      [Double](repeating: 0, count: count)
    )
    inputs[state] = [builder.constant(zeros, name: "\(use.names[0])_\(ports[state])", origin: use.origin)]
  }
  return try builder.append(op, inputs, names: use.names, origin: use.origin)
}

extension LSTM: MILSpelled {
  /// Core ML bounds no cells; bounds of 50 and more, where `tanh` is 1, are left out.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.drop("cell_clip", unless: cellClip ?? 50 >= 50)
    call.checkRecurrent(clip: nil, after: false)
  }
}

extension GRU: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call["reset_after"] = nil
    call["clip"] = nil
    call.checkRecurrent(clip: clip, after: resetAfter)
  }
}

extension RNN: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call["clip"] = nil
    call.checkRecurrent(clip: clip, after: false)
  }
}

extension MILCall {
  fileprivate mutating func checkRecurrent(clip: Double?, after: Bool) {
    if operand("sequence_lens") != nil { block("Core ML's \(type) has no sequence lengths") }
    if operand("initial_h") == nil {
      block("Core ML's \(type) needs an initial state, and the batch size is not fixed")
    }
    if clip != nil { block("Core ML's \(type) has no parameter 'clip'") }
    if after { block("Core ML's \(type) has no parameter 'reset_after' in every version") }
    if type != "lstm", self["direction"] == .string("bidirectional") {
      block("Core ML's \(type) runs in one direction")
    }
  }
}
