import MLCCore

/// Reads `inbound_nodes` of Keras 2, lists of `[layer, call, output, keywords]`, and of Keras 3, objects with `args`
/// and `kwargs` that hold tensors anywhere.
struct KerasTopologyReader {
  typealias Reference = KerasTopology.Reference

  private let layers: [KerasLayerNode]
  private let places: [String: Int]

  init(_ layers: [KerasLayerNode]) {
    self.layers = layers
    places = Dictionary(layers.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func read(_ config: KerasConfig) throws(Diagnostic) -> KerasTopology {
    guard places.count == layers.count else { throw wrong("two layers have one name") }
    var calls: [[KerasTopology.Call]] = []
    for (layer, description) in zip(layers, try KerasTopology.layers(config)) {
      guard case .object(let members) = description, case .array(let nodes) = members["inbound_nodes"] ?? JSON.array([])
      else { throw wrong("the calls of '\(layer.name)' are no list") }
      var found: [KerasTopology.Call] = []
      for node in nodes { found.append(try call(node)) }
      calls.append(found)
    }
    let inputs = try references(config["input_layers"] ?? .null)
    let outputs = try references(config["output_layers"] ?? .null)
    guard !outputs.isEmpty else { throw wrong("the model has no outputs") }
    return try numbered(KerasTopology(calls: calls, inputs: inputs, outputs: outputs))
  }

  private func wrong(_ what: String) -> Diagnostic { Diagnostic("keras.topology", what) }

  // MARK: Calls

  private func call(_ node: JSON) throws(Diagnostic) -> KerasTopology.Call {
    switch node {
    case .object(let members):
      var call = KerasTopology.Call(inputs: try references(members["args"] ?? .null))
      if case .array(let arguments)? = members["args"] { call.arguments = arguments }
      if case .object(let keywords)? = members["kwargs"] { try read(keywords, into: &call) }
      return call
    case .array(let items):
      // A call of one tensor may stand without its list.
      if case .string? = items.first { return try call(.array([node])) }
      var call = KerasTopology.Call(inputs: [])
      for item in items {
        guard case .array(let parts) = item else { throw wrong("a call is not made of tensors") }
        // A number in the place of the first tensor, as in 1 - x.
        if parts.count > 2, parts[0] == .string("_CONSTANT_VALUE") {
          call.arguments.append(parts[2])
        } else {
          call.inputs.append(try reference(parts))
        }
        if parts.count > 3, case .object(let keywords) = parts[3] { try read(keywords, into: &call) }
      }
      return call
    default: throw wrong("a call is neither a list nor an object")
    }
  }

  private func read(_ keywords: [String: JSON], into call: inout KerasTopology.Call) throws(Diagnostic) {
    call.options.merge(keywords) { $1 }
    for (name, value) in keywords {
      let found = try references(value)
      if !found.isEmpty { call.keywords[name] = found }
    }
  }

  /// Every tensor within `value`, in order.
  private func references(_ value: JSON) throws(Diagnostic) -> [Reference] {
    switch value {
    case .array(let items):
      if items.count >= 3, case .string(let name) = items[0], places[name] != nil, case .integer = items[1],
        case .integer = items[2]
      {
        return [try reference(items)]
      }
      var result: [Reference] = []
      for item in items { result += try references(item) }
      return result
    case .object(let members):
      if case .string("__keras_tensor__")? = members["class_name"] {
        guard case .object(let config)? = members["config"], case .array(let history)? = config["keras_history"] else {
          throw wrong("a tensor has no history")
        }
        return [try reference(history)]
      }
      var result: [Reference] = []
      for key in members.keys.sorted() { result += try references(members[key]!) }
      return result
    default: return []
    }
  }

  private func reference(_ parts: [JSON]) throws(Diagnostic) -> Reference {
    guard parts.count >= 3, case .string(let name) = parts[0], case .integer(let call) = parts[1],
      case .integer(let output) = parts[2]
    else { throw wrong("a tensor is not named by layer, call and output") }
    guard let layer = places[name], (0...1 << 16).contains(call), (0...1 << 16).contains(output) else {
      throw wrong("there is no output \(output) of call \(call) of a layer '\(name)'")
    }
    return Reference(layer: layer, call: call, output: output)
  }

  // MARK: Numbers of calls

  /// The topology with calls numbered from 0: those of an inner model count from 1 where its own making was the first.
  private func numbered(_ topology: KerasTopology) throws(Diagnostic) -> KerasTopology {
    var result = topology
    let all = topology.calls.joined().flatMap { $0.all } + topology.outputs + topology.inputs
    var highest = [Int](repeating: -1, count: layers.count)
    for reference in all { highest[reference.layer] = max(highest[reference.layer], reference.call) }
    let shifts = layers.indices.map { highest[$0] == max(topology.calls[$0].count, 1) ? 1 : 0 }
    func moved(_ reference: Reference) throws(Diagnostic) -> Reference {
      var reference = reference
      reference.call -= shifts[reference.layer]
      let count = max(topology.calls[reference.layer].count, 1)
      guard (0..<count).contains(reference.call) else {
        throw wrong("layer '\(layers[reference.layer].name)' is not called \(reference.call + 1) times")
      }
      return reference
    }
    func movedAll(_ references: [Reference]) throws(Diagnostic) -> [Reference] {
      var result: [Reference] = []
      for reference in references { result.append(try moved(reference)) }
      return result
    }
    for layer in layers.indices {
      for index in result.calls[layer].indices {
        result.calls[layer][index].inputs = try movedAll(result.calls[layer][index].inputs)
        for (name, references) in result.calls[layer][index].keywords {
          result.calls[layer][index].keywords[name] = try movedAll(references)
        }
      }
    }
    (result.inputs, result.outputs) = (try movedAll(result.inputs), try movedAll(result.outputs))
    return result
  }
}
