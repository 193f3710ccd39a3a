import MLCCore
import MLCGraph
import MLCOps

/// `ConvLSTM1D`, `ConvLSTM2D`, `ConvLSTM3D`: an LSTM over pictures, its products being convolutions, of `[batch, steps,
/// *S, C]`.
///
/// Kernel `[*K, C, 4·F]` and recurrent kernel `[*K, F, 4·F]` have the gates i, f, c, o. The steps, a known number of
/// them, are written one after the other. Source: Shi et al., Convolutional LSTM Network, 2015, without connections
/// from the cell to the gates.
package struct KerasConvLSTM: KerasLayer {
  package static let classNames = ["ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"]
  package static let masks = KerasMaskRule.uses
  private static let maximumSteps = 256

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try KerasRecurrent.weights(config)
  }

  package static func archivePlaces(_ index: Int, _ config: KerasConfig) throws(Diagnostic) -> [String] {
    try KerasRecurrent.archivePlaces(index, config)
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let isChannelsFirst = try KerasWindow.isChannelsFirst(call.config)
    var states: [ValueID] = []
    for tensor in Array(call.inputs.dropFirst()) + (call.keywords["initial_state"] ?? []) {
      states.append(try context.spatial(tensor, rank: rank, isChannelsFirst: isChannelsFirst))
    }
    guard [0, 2].contains(states.count) else {
      throw Diagnostic("keras.inputs", "there are \(states.count) initial states; the layer has two")
    }
    var gates = try gates(call, rank, isChannelsFirst, &context)
    if try call.config.bool("go_backwards", default: false) { gates.reverse() }
    let cell = try Cell(call, rank, like: gates[0], &context)
    var outputs: [ValueID] = []
    for gate in gates {
      states = try cell.step(gate, states, &context)
      outputs.append(states[0])
    }
    var result = context.spatialResult(states[0], isChannelsFirst: isChannelsFirst)
    if try call.config.bool("return_sequences", default: false) {
      var steps: [ValueID] = []
      for output in outputs { steps.append(try context.emit(ExpandDims([1]), output)) }
      let all = try context.emit(Concat(axis: 1), all: [steps])[0]
      let order = [0, 1] + Array(3..<rank + 3) + [2]
      result = KerasTensor(isChannelsFirst ? all : try context.emit(Transpose(order), all))
    }
    guard try call.config.bool("return_state", default: false) else { return [result] }
    return [result] + states.map { context.spatialResult($0, isChannelsFirst: isChannelsFirst) }
  }

  /// What the input adds to the gates of each step, `[batch, 4·F, *S]`.
  private static func gates(
    _ call: KerasCall,
    _ rank: Int,
    _ isChannelsFirst: Bool,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> [ValueID] {
    let input = try call.input()
    if input.mask != nil { throw Diagnostic.mask(call) }
    let x = try context.plain(input)
    let shape = context.fact(x).shape
    guard shape.count == rank + 3, try !call.config.bool("time_major", default: false),
      let steps = shape[1].constant, 1...maximumSteps ~= steps
    else {
      throw Diagnostic(
        "keras.option",
        "\(context.fact(x).type) is not supported: the layer takes a batch of 1 to \(maximumSteps) steps, a known "
          + "number",
        kind: .unsupported
      )
    }
    let pictures = KerasTensor(try context.reshape(x, [shape[0] * shape[1]] + shape[2...]))
    let flat = isChannelsFirst ? pictures.value : try context.channelsFirst(pictures)
    let op = try context.convolution(call.config, 0, flat, rank: rank)
    let kernel = try context.convolutionKernel(0, context.fact(x).dtype, rank: rank)
    let all = try context.biased(call, op, flat, kernel, bias: 2)
    let parts = try context.reshape(all, Array(shape[..<2]) + context.fact(all).shape[1...], sources: [x])
    var gates: [ValueID] = []
    for part in try context.emit(Split(axis: 1, count: steps), all: [[parts]]) {
      gates.append(try context.emit(Squeeze([1]), part))
    }
    return gates
  }

  private struct Cell {
    let activation: KerasActivation, recurrentActivation: KerasActivation
    let kernel: ValueID, op: Conv

    init(_ call: KerasCall, _ rank: Int, like gates: ValueID, _ context: inout KerasContext) throws(Diagnostic) {
      activation = try KerasActivation(call.config, "activation")
      recurrentActivation = try KerasActivation(call.config, "recurrent_activation")
      kernel = try context.convolutionKernel(1, context.fact(gates).dtype, rank: rank)
      // The state keeps its size, whatever the window of the input is.
      op = try context.convolution(KerasConfig(["padding": .string("same")]), 1, gates, rank: rank)
    }

    /// The output and the cell's own state after a step. There are no `states` before the first, where they are zeros.
    func step(
      _ gates: ValueID,
      _ states: [ValueID],
      _ context: inout KerasContext
    ) throws(Diagnostic) -> [ValueID] {
      var sum = gates
      if let h = states.first { sum = try context.emit(Add(), gates, try context.emit(op, h, kernel)) }
      let parts = try context.emit(Split(axis: 1, count: 4), all: [[sum]])
      var gated: [ValueID] = []
      for (index, part) in parts.enumerated() {
        let function = index == 2 ? activation : recurrentActivation
        gated.append(try function.apply(to: KerasTensor(part, isChannelsFirst: true), in: &context).value)
      }
      var c = try context.emit(Mul(), gated[0], gated[2])
      if let last = states.last { c = try context.emit(Add(), try context.emit(Mul(), gated[1], last), c) }
      let shown = try activation.apply(to: KerasTensor(c, isChannelsFirst: true), in: &context).value
      return [try context.emit(Mul(), gated[3], shown), c]
    }
  }
}
