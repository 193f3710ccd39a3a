import MLCCore
import MLCGraph
import MLCOps

/// `RNN` of one of Keras' cells, or of `StackedRNNCells`: each cell runs over all that the one before it gives, which
/// is the same as all of them step by step.
package struct KerasRNN: KerasLayer {
  package static let classNames = ["RNN"]
  package static let masks = KerasMaskRule.uses

  package static func innerLayers(_ config: KerasConfig) throws(Diagnostic) -> [(key: String, layer: JSON)] {
    guard case .object(let cell)? = config["cell"] else { throw KerasConfig.wrong("cell", "is no cell") }
    guard cell["class_name"] == .string("StackedRNNCells") else {
      return [("cell", running(cell, config, isFirst: true, isLast: true))]
    }
    guard case .object(let stack)? = cell["config"], case .array(let cells)? = stack["cells"], !cells.isEmpty else {
      throw KerasConfig.wrong("cell", "has no cells")
    }
    var result: [(key: String, layer: JSON)] = []
    for (index, (name, cell)) in zip(KerasLayerNode.fileNames(cells), cells).enumerated() {
      guard case .object(let members) = cell else { throw KerasConfig.wrong("cell", "is no cell") }
      let layer = running(members, config, isFirst: index == 0, isLast: index == cells.count - 1)
      result.append(("cell/cells/\(name)", layer))
    }
    return result
  }

  /// The cell with the settings of the layer that concern it.
  private static func running(_ cell: [String: JSON], _ outer: KerasConfig, isFirst: Bool, isLast: Bool) -> JSON {
    guard case .object(var config)? = cell["config"] else { return .object(cell) }
    for key in ["return_state", "time_major"] { config[key] = outer[key] }
    config["go_backwards"] = isFirst ? outer["go_backwards"] : nil
    config["zero_output_for_mask"] = isLast ? outer["zero_output_for_mask"] : nil
    config["return_sequences"] = isLast ? outer["return_sequences"] : .bool(true)
    return .object(cell.merging(["config": .object(config)]) { $1 })
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let cells = call.layer.children
    let states = Array(call.inputs.dropFirst()) + (call.keywords["initial_state"] ?? [])
    guard cells.allSatisfy({ $0.type is KerasRecurrentCell.Type }) else {
      throw KerasConfig.wrong("cell", "is a layer, no cell")
    }
    let returnsStates = try call.config.bool("return_state", default: false)
    guard cells.count == 1 || (states.isEmpty && !returnsStates), call.keywords["constants"] == nil else {
      throw Diagnostic("keras.option", "states of stacked cells and constants are not supported", kind: .unsupported)
    }
    var outputs = [try call.input()]
    for cell in cells { outputs = try context.call(cell, [outputs[0]] + states) }
    return outputs
  }
}

/// `SimpleRNNCell`, `LSTMCell`, `GRUCell`, as `RNN` runs them over all steps.
package struct KerasRecurrentCell: KerasLayer {
  package static let classNames = KerasRecurrent.classNames.map { "\($0)Cell" }
  package static let masks = KerasMaskRule.uses

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] {
    try KerasRecurrent.weights(config)
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    try KerasRecurrent.convert(call, kind: String(call.layer.className.dropLast(4)), in: &context)
  }
}
