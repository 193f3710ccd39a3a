import MLCCore
import MLCGraph
import MLCOps

extension MILCall {
  /// Strides and dilations of 1 and no padding where none are said.
  fileprivate mutating func fillWindow(axes: Int, dilations: Bool) {
    fill("strides", .ints([Int](repeating: 1, count: axes)))
    if dilations { fill("dilations", .ints([Int](repeating: 1, count: axes))) }
    fill("pad", .ints([Int](repeating: 0, count: 2 * axes)))
  }
}

extension Conv: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.fillWindow(axes: context.result().rank - 2, dilations: true)
  }
}

extension ConvTranspose: MILSpelled {
  /// What `output_padding` adds, MIL's `output_shape` says.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    let y = context.result()
    call.fillWindow(axes: y.rank - 2, dilations: true)
    call["output_padding"] = nil
    guard outputPadding.contains(where: { $0 != 0 }) else { return }
    guard let shape = y.type.staticShape else {
      return call.block(
        "Core ML's conv_transpose has no parameter 'output_padding', and the result's shape is not fixed"
      )
    }
    call["output_shape"] = .ints(shape)
  }
}

extension MaxPool: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.fillWindow(axes: context.result().rank - 2, dilations: false)
    call.drop("dilations", unless: dilations.allSatisfy { $0 == 1 })
    call.drop("return_indices", unless: !returnIndices)
    call["column_major_indices"] = nil
    call.checkCeiling(ceilMode, strides: strides)
  }
}

extension AvgPool: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.fillWindow(axes: context.result().rank - 2, dilations: false)
    call.drop("dilations", unless: dilations.allSatisfy { $0 == 1 })
    call.checkCeiling(ceilMode, strides: strides)
  }
}

extension MILCall {
  /// MIL takes `ceil_mode` with explicit padding only.
  fileprivate mutating func checkCeiling(_ ceiling: Bool, strides: [Int]) {
    if ceiling, case .string(let type)? = self["pad_type"], type.hasPrefix("same") {
      refuse("it takes 'ceil_mode' with explicit padding only", advice: "export with explicit padding")
    }
  }
}

extension Pad: MILSpelled {
  /// MIL wants the value in every mode, as a scalar.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    guard let x = context.fact("x") else { return }
    if mode == "wrap" { return call.block("Core ML's pad has no mode 'wrap'") }
    if let value = context.fact("constant_val"), value.rank == 0 { return }
    let given = context.fact("constant_val").map { $0.value }
    guard given != .some(nil), !x.dtype.isPacked, x.dtype != .string else { return call.block("its value is computed") }
    call.removeOperand("constant_val")
    call["constant_val"] = .tensor(given??.reshaped([]) ?? Tensor(x.dtype, [], [0.0]))
  }
}

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
  func spell(_ call: inout MILCall, _ context: SpellingContext) { call.checkRecurrent(clip: nil, after: false) }
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
