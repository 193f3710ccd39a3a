import MLCCore
import MLCGraph
import MLCOps

/// `SimpleRNN`, `LSTM`, `GRU`: `[batch, steps, C]` → `[batch, steps, units]` or the last step, and on demand the final
/// states.
///
/// Steps that the mask leaves out change nothing: the states and the output stay as they were before, or the output is
/// 0 with `zero_output_for_mask`. A layer that is `stateful` begins each prediction with zeros, as after
/// `reset_states`.
package struct KerasRecurrent: KerasLayer {
  package static let classNames = ["SimpleRNN", "LSTM", "GRU"]
  package static let masks = KerasMaskRule.uses

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try config.weights("kernel", "recurrent_kernel")
  }

  package static func archivePlaces(_ index: Int, _ config: KerasConfig) throws(Diagnostic) -> [String] {
    ["cell/vars/\(index)"]
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    try convert(call, kind: call.layer.className, in: &context)
  }

  /// A call of a layer or of a cell whose class is `kind`.
  static func convert(
    _ call: KerasCall,
    kind: String,
    in context: inout KerasContext
  ) throws(Diagnostic) -> [KerasTensor] {
    let config = call.config
    guard try !config.bool("time_major", default: false), call.keywords["constants"] == nil else {
      throw Diagnostic("keras.option", "time_major and constants are not supported", kind: .unsupported)
    }
    let cell = try KerasCell(kind, config, context)
    let input = try call.input()
    let x = try context.plain(input)
    let states = try (Array(call.inputs.dropFirst()) + (call.keywords["initial_state"] ?? [])).map {
      (tensor) throws(Diagnostic) in try context.plain(tensor)
    }
    guard context.fact(x).rank == 3, [0, cell.stateCount].contains(states.count) else {
      throw Diagnostic("keras.inputs", "the layer takes \(context.fact(x).type) with \(states.count) initial states")
    }
    var pass = KerasRecurrentPass(cell: cell, states: states)
    pass.goesBackwards = try config.bool("go_backwards", default: false)
    pass.zeroesMasked = try config.bool("zero_output_for_mask", default: false)
    pass.returnsSequences = try config.bool("return_sequences", default: false)
    let result = try pass.run(x, mask: input.mask, in: &context)
    let mask = pass.returnsSequences ? input.mask : nil
    let finals = try config.bool("return_state", default: false) ? result.states : []
    return [KerasTensor(result.output, mask: mask)] + finals.map { KerasTensor($0) }
  }
}

/// One run over all steps, forwards or backwards.
struct KerasRecurrentPass {
  let cell: KerasCell
  /// Initial states, none for zeros.
  let states: [ValueID]
  var goesBackwards = false, zeroesMasked = false, returnsSequences = false

  init(cell: KerasCell, states: [ValueID]) { (self.cell, self.states) = (cell, states) }

  /// `x` is `[batch, steps, C]`; so are sequences of outputs, in the order in which the steps are taken.
  func run(
    _ x: ValueID,
    mask: ValueID?,
    in context: inout KerasContext
  ) throws(Diagnostic) -> (output: ValueID, states: [ValueID]) {
    if let mask { return try masked(x, mask, &context) }
    let steps = try context.emit(Transpose([1, 0, 2]), x)
    let all = try cell.emit(
      steps,
      states,
      direction: goesBackwards ? "reverse" : "forward",
      sequence: returnsSequences,
      lengths: nil,
      in: &context
    )
    guard returnsSequences else { return (all[1], Array(all[1...])) }
    let ordered = goesBackwards ? try context.emit(Reverse([0]), all[0]) : all[0]
    return (try context.emit(Transpose([1, 0, 2]), ordered), Array(all[1...]))
  }

  /// The steps that count are brought to the front, and the outputs behind them to their places.
  private func masked(
    _ x: ValueID,
    _ mask: ValueID,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> (output: ValueID, states: [ValueID]) {
    let x = goesBackwards ? try context.emit(Reverse([1]), x) : x
    let mask = goesBackwards ? try context.emit(Reverse([1]), mask) : mask
    let places = try MaskedSteps(mask, in: &context)
    let front = try context.emit(Transpose([1, 0, 2]), try places.brought(x, in: &context))
    let all = try cell.emit(
      front,
      states,
      direction: "forward",
      sequence: returnsSequences || zeroesMasked,
      lengths: places.lengths,
      in: &context
    )
    if !returnsSequences, !zeroesMasked { return (all[1], Array(all[1...])) }
    let outputs = try context.emit(Transpose([1, 0, 2]), all[0])
    let spread = try places.returned(outputs, zeroesMasked: zeroesMasked, in: &context)
    if returnsSequences { return (spread, Array(all[1...])) }
    let last = SliceByIndex(beginMask: [true, false, true], endMask: [true, true, true])
    let end = try context.emit(
      last,
      spread,
      context.constant(ints: [0, -1, 0], "begin"),
      context.constant(ints: [0, 0, 0], "end")
    )
    return (try context.emit(Squeeze([1]), end), Array(all[1...]))
  }
}
