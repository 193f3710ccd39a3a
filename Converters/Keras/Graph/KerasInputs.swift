import MLCCore
import MLCGraph

/// The inputs of a model as the program's.
struct KerasInputs {
  private let bindings: [String: TensorType]

  init(_ bindings: [String: TensorType]) { self.bindings = bindings }

  /// Throws `keras.unknown-input` and `keras.input-shape` for bindings that do not fit, `keras.no-shape` when the model
  /// does not say what it takes.
  func add(
    _ model: KerasLayerNode,
    _ topology: KerasTopology,
    to context: inout KerasContext
  ) throws(Diagnostic) -> [KerasTensor] {
    var ports: [(name: String, type: TensorType)] = []
    for reference in topology.inputs {
      if reference.layer < 0 {
        ports.append(try port(sequence: model))
      } else {
        let layer = model.children[reference.layer]
        ports.append(try port(layer, layer.name))
      }
    }
    for name in bindings.keys.sorted() where !ports.contains(where: { $0.name == name }) {
      let known = ports.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Diagnostic("keras.unknown-input", "the model has no input '\(name)'; its inputs are \(known)", kind: .usage)
    }
    var sizes: [String: Dim] = [:]
    for (name, type) in ports { try bind(name, type, into: &sizes) }
    return ports.map { name, type in
      let given = bindings[name]?.shape.named(name, as: type.shape, sizes)
      let shape = given ?? type.shape.map { $0.substituting(sizes) }
      return KerasTensor(context.builder.input(name, TensorType(type.dtype, shape)))
    }
  }

  private func port(_ layer: KerasLayerNode, _ name: String) throws(Diagnostic) -> (name: String, type: TensorType) {
    try locating(Location(node: layer.path, op: layer.className)) { () throws(Diagnostic) in
      for key in ["sparse", "ragged"] where try layer.config.bool(key, default: false) {
        throw Diagnostic("keras.input-type", "the input is \(key); mlc takes dense tensors", kind: .unsupported)
      }
      let key = layer.config["batch_input_shape"] == nil ? "batch_shape" : "batch_input_shape"
      guard let shape = try layer.config.shape(key) else {
        throw Diagnostic("keras.no-shape", "the model does not say what shape its input has")
      }
      return (name, type(shape, try layer.config.computeType(), name))
    }
  }

  /// The input of a sequence without a layer for it: its first layer, or the sequence, says what it takes.
  private func port(sequence model: KerasLayerNode) throws(Diagnostic) -> (name: String, type: TensorType) {
    guard let first = model.children.first else { throw Diagnostic("keras.topology", "the model has no layers") }
    if first.config["batch_input_shape"] != nil { return try port(first, "\(first.name)_input") }
    guard let shape = try model.config.shape("build_input_shape") else {
      throw Diagnostic("keras.no-shape", "the model does not say what shape its input has; build it before saving")
    }
    let dtype: DType = first.className == "Embedding" ? .int32 : try first.config.computeType()
    return ("\(first.name)_input", type(shape, dtype, "\(first.name)_input"))
  }

  private func type(_ shape: [Int?], _ dtype: DType, _ name: String) -> TensorType {
    let dims = shape.enumerated().map { axis, extent in
      extent.map { Dim($0) } ?? Dim.symbol(axis == 0 ? "batch" : "\(name)_\(axis)")
    }
    return TensorType(dtype, dims)
  }

  private func bind(_ name: String, _ type: TensorType, into sizes: inout [String: Dim]) throws(Diagnostic) {
    guard let bound = bindings[name] else { return }
    let fits =
      bound.rank == type.rank
      && zip(type.shape, bound.shape).allSatisfy { $0.symbol != nil || $1.constant == nil || $0 == $1 }
    guard fits else {
      throw Diagnostic("keras.input-shape", "--input \(name): the model takes \(type)", kind: .usage)
    }
    for (declared, size) in zip(type.shape, bound.shape) {
      if let symbol = declared.symbol, size != declared, size != .unnamed { sizes[symbol] = size }
    }
  }
}
