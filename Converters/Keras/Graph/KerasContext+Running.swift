import MLCCore
import MLCGraph

extension KerasContext {
  /// Calls `layer` on `inputs`; a tensor passed as `mask` is the mask of the first, of a list each of its own. Throws
  /// what its conversion throws, located at the layer.
  package mutating func call(
    _ layer: KerasLayerNode,
    _ inputs: [KerasTensor],
    keywords: [String: [KerasTensor]] = [:],
    arguments: [JSON] = [],
    options: [String: JSON] = [:]
  ) throws(Diagnostic) -> [KerasTensor] {
    var inputs = inputs
    for (place, mask) in zip(KerasContext.places(options["mask"]), keywords["mask"] ?? [])
    where inputs.indices.contains(place) { inputs[place].mask = mask.value }
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
      var call = KerasCall(layer: layer, inputs: inputs, keywords: keywords, arguments: arguments)
      call.options = options
      return try convert(type, call)
    }
  }

  /// The places in a list of masks where there is one; the first when it is no list.
  private static func places(_ masks: JSON?) -> [Int] {
    guard case .array(let items)? = masks else { return [0] }
    // In Keras 2 a tensor is a list too, which begins with a name.
    if case .string? = items.first { return [0] }
    return items.indices.filter { items[$0] != .null }
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
        arguments: call.arguments,
        options: call.options
      )
      schedule.provide(next, outputs)
      let layer = model.children[next.layer]
      if !isKeras2, layer.type?.endsMasks(layer.className) == true { schedule.endMasks(call.all) }
    }
    return try schedule.tensors(topology.outputs)
  }
}
