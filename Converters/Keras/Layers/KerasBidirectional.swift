import MLCCore
import MLCGraph
import MLCOps

/// A recurrent layer forwards and another backwards, their outputs joined by `merge_mode`.
package struct KerasBidirectional: KerasLayer {
  package static let classNames = ["Bidirectional"]
  package static let masks = KerasMaskRule.uses

  package static func innerLayers(_ config: KerasConfig) throws(Diagnostic) -> [(key: String, layer: JSON)] {
    guard case .object(let forward)? = config["layer"], case .object(let settings)? = forward["config"] else {
      throw KerasConfig.wrong("layer", "is no layer")
    }
    let backward: [String: JSON]
    if case .object(let given)? = config["backward_layer"] {
      backward = given
    } else {
      var turned = settings
      let goes = try KerasConfig(settings).bool("go_backwards", default: false)
      turned["go_backwards"] = .bool(!goes)
      backward = forward.merging(["config": .object(turned)]) { $1 }
    }
    return [("forward_layer", renamed(forward, "forward")), ("backward_layer", renamed(backward, "backward"))]
  }

  /// Sequences show zeros where the mask leaves steps out; names say which direction it is.
  private static func renamed(_ layer: [String: JSON], _ direction: String) -> JSON {
    guard case .object(var config)? = layer["config"] else { return .object(layer) }
    if case .string(let name)? = config["name"], !name.hasPrefix(direction) {
      config["name"] = .string("\(direction)_\(name)")
    }
    if config["return_sequences"] == .bool(true) { config["zero_output_for_mask"] = .bool(true) }
    return .object(layer.merging(["config": .object(config)]) { $1 })
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    guard let forward = call.layer.child("forward_layer"), let backward = call.layer.child("backward_layer"),
      [forward, backward].allSatisfy({ $0.type is KerasRecurrent.Type || $0.type is KerasRNN.Type })
    else {
      let message = "only SimpleRNN, LSTM, GRU and RNN are run in both directions"
      throw Diagnostic("keras.option", message, kind: .unsupported)
    }
    let states = Array(call.inputs.dropFirst()) + (call.keywords["initial_state"] ?? [])
    guard states.count.isMultiple(of: 2) else {
      throw Diagnostic("keras.inputs", "\(states.count) initial states for two directions")
    }
    let x = try call.input()
    let half = states.count / 2
    let ahead = try context.call(forward, [x] + states[..<half])
    var back = try context.call(backward, [x] + states[half...])
    let mask = ahead[0].mask
    if try forward.config.bool("return_sequences", default: false) {
      back[0].value = try context.emit(Reverse([1]), back[0].value)
    }
    let (a, b) = (ahead[0].value, back[0].value)
    var outputs: [KerasTensor]
    switch call.config["merge_mode"] {
    case nil where call.config.members["merge_mode"] == .null: outputs = [a, b].map { KerasTensor($0, mask: mask) }
    case nil, .string("concat")?:
      outputs = [KerasTensor(try context.emit(Concat(axis: -1), all: [[a, b]])[0], mask: mask)]
    case .string("sum")?: outputs = [KerasTensor(try context.emit(Add(), a, b), mask: mask)]
    case .string("mul")?: outputs = [KerasTensor(try context.emit(Mul(), a, b), mask: mask)]
    case .string("ave")?:
      let sum = try context.emit(Add(), a, b)
      outputs = [KerasTensor(try context.emit(Mul(), sum, context.scalar(0.5, like: sum)), mask: mask)]
    default: throw KerasConfig.wrong("merge_mode", "is not known")
    }
    outputs += ahead.dropFirst() + back.dropFirst()
    return outputs
  }
}
