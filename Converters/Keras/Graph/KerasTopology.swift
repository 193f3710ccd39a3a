import MLCCore

/// How the layers of a model are connected.
package struct KerasTopology: Sendable {
  /// One output of one call of a layer.
  package struct Reference: Hashable, Sendable {
    package var layer: Int, call: Int, output: Int
  }
  /// One call of a layer.
  package struct Call: Sendable {
    package var inputs: [Reference]
    /// Tensors by the keyword they are passed as.
    package var keywords: [String: [Reference]] = [:]
    /// What stands at each place of the call, numbers too, as Keras 3 writes it.
    package var arguments: [JSON] = []
    /// What stands behind each keyword.
    package var options: [String: JSON] = [:]
    package var all: [Reference] { inputs + keywords.values.joined() }
  }
  /// Calls by layer, in the order of `KerasLayerNode.children`.
  package var calls: [[Call]]
  package var inputs: [Reference], outputs: [Reference]

  /// The layers of a model's config. Throws `keras.config`.
  static func layers(_ config: KerasConfig) throws(Diagnostic) -> [JSON] {
    guard case .array(let layers)? = config["layers"] else { throw KerasConfig.wrong("layers", "is no list") }
    guard layers.count <= 1 << 16 else { throw KerasConfig.wrong("layers", "has \(layers.count) entries") }
    return layers
  }

  /// Throws `keras.topology` for references to what is not there.
  init(_ model: KerasLayerNode) throws(Diagnostic) {
    if model.config["input_layers"] == nil {
      self.init(sequence: model.children)
      return
    }
    let reader = KerasTopologyReader(model.children)
    self = try locating(Location(node: model.path, op: model.className)) { () throws(Diagnostic) in
      try reader.read(model.config)
    }
  }

  /// Each layer takes what the one before gives; the first takes the model's input.
  private init(sequence layers: [KerasLayerNode]) {
    let hasInput = layers.first?.className == "InputLayer"
    calls = layers.indices.map { index in
      let before = Reference(layer: index - 1, call: 0, output: 0)
      return index == 0 && hasInput ? [] : [Call(inputs: [before])]
    }
    // The layer −1 is the input of a sequence that has no layer for it.
    inputs = [Reference(layer: hasInput ? 0 : -1, call: 0, output: 0)]
    outputs = [Reference(layer: layers.count - 1, call: 0, output: 0)]
  }

  init(calls: [[Call]], inputs: [Reference], outputs: [Reference]) {
    (self.calls, self.inputs, self.outputs) = (calls, inputs, outputs)
  }
}
