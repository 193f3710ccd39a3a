import MLCCore
import MLCGraph

extension KerasContext {
  /// Calls `layer` on `inputs`; a tensor passed as `mask` is the mask of the first. Throws what its conversion throws, located
  /// at the layer.
  package mutating func call(
    _ layer: KerasLayerNode,
    _ inputs: [KerasTensor],
    keywords: [String: [KerasTensor]] = [:],
    arguments: [JSON] = []
  ) throws(Diagnostic) -> [KerasTensor] {
    var inputs = inputs
    if let mask = keywords["mask"]?.first, !inputs.isEmpty { inputs[0].mask = mask.value }
    calls += 1
    guard calls <= KerasContext.maximumCalls else {
      throw Diagnostic("keras.limit", "models within models unfold to more than \(KerasContext.maximumCalls) layers")
    }
    let outer = self.layer
    self.layer = layer
    defer { self.layer = outer }
    return try locating(origin) { () throws(Diagnostic) in
      guard let type = layer.type else {
        throw Diagnostic("keras.unsupported", "mlc has no layer \(layer.className)", kind: .unsupported)
      }
      if layer.topology != nil { return try run(layer, inputs) }
      return try convert(type, KerasCall(layer: layer, inputs: inputs, keywords: keywords, arguments: arguments))
    }
  }

  private mutating func convert(
    _ type: any KerasLayer.Type,
    _ call: KerasCall
  ) throws(Diagnostic) -> [KerasTensor] {
    var call = call
    for index in call.inputs.indices { call.inputs[index] = try casting(call.inputs[index]) }
    for (key, tensors) in call.keywords {
      for index in tensors.indices { call.keywords[key]![index] = try casting(tensors[index]) }
    }
    let outputs = try type.convert(call, in: &self)
    switch type.masks {
    case .uses: return outputs
    case .drops: return outputs.map { KerasTensor($0.value, isChannelsFirst: $0.isChannelsFirst) }
    case .passes:
      return outputs.map {
        KerasTensor($0.value, isChannelsFirst: $0.isChannelsFirst, mask: call.inputs.first?.mask)
      }
    }
  }

  /// Calls every layer of `model` when its inputs are there.
  mutating func run(_ model: KerasLayerNode, _ inputs: [KerasTensor]) throws(Diagnostic) -> [KerasTensor] {
    guard let topology = model.topology else { return [] }
    guard inputs.count == topology.inputs.count else {
      throw Diagnostic("keras.inputs", "the model takes \(topology.inputs.count) tensors and is given \(inputs.count)")
    }
    var schedule = KerasSchedule(topology)
    for (reference, tensor) in zip(topology.inputs, inputs) { schedule.provide(reference, [tensor]) }
    while let next = schedule.next() {
      let call = topology.calls[next.layer][next.call]
      var keywords: [String: [KerasTensor]] = [:]
      for (name, references) in call.keywords { keywords[name] = try schedule.tensors(references) }
      let outputs = try self.call(
        model.children[next.layer],
        try schedule.tensors(call.inputs),
        keywords: keywords,
        arguments: call.arguments
      )
      schedule.provide(next, outputs)
    }
    return try schedule.tensors(topology.outputs)
  }
}

/// Which calls of a model's layers can be made, first come, first served.
struct KerasSchedule {
  typealias Reference = KerasTopology.Reference

  private var results: [Reference: [KerasTensor]] = [:]
  private var missing: [Reference: Int] = [:]
  private var waiting: [Reference: [Reference]] = [:]
  private var ready: [Reference] = []
  private var position = 0

  init(_ topology: KerasTopology) {
    let inputs = Set(topology.inputs.map { KerasSchedule.whole($0) })
    for (layer, calls) in topology.calls.enumerated() {
      for (index, call) in calls.enumerated() {
        let node = Reference(layer: layer, call: index, output: 0)
        if inputs.contains(node) { continue }
        let needs = Set(call.all.map { KerasSchedule.whole($0) })
        missing[node] = needs.count
        for need in needs { waiting[need, default: []].append(node) }
        if needs.isEmpty { ready.append(node) }
      }
    }
  }

  /// The call that a reference is an output of.
  private static func whole(_ reference: Reference) -> Reference {
    Reference(layer: reference.layer, call: reference.call, output: 0)
  }

  mutating func provide(_ call: Reference, _ outputs: [KerasTensor]) {
    let call = KerasSchedule.whole(call)
    results[call] = outputs
    for node in waiting.removeValue(forKey: call) ?? [] {
      missing[node]! -= 1
      if missing[node] == 0 { ready.append(node) }
    }
  }

  mutating func next() -> Reference? {
    guard position < ready.count else { return nil }
    position += 1
    return ready[position - 1]
  }

  /// Throws `keras.topology` for what no call made: calls that wait for each other, outputs that a layer does not have.
  func tensors(_ references: [Reference]) throws(Diagnostic) -> [KerasTensor] {
    var tensors: [KerasTensor] = []
    for reference in references {
      guard let outputs = results[KerasSchedule.whole(reference)] else {
        throw Diagnostic("keras.topology", "layers wait for each other's outputs")
      }
      guard reference.output < outputs.count else {
        throw Diagnostic(
          "keras.topology",
          "a layer has \(outputs.count) outputs; number \(reference.output) is asked for"
        )
      }
      tensors.append(outputs[reference.output])
    }
    return tensors
  }
}
