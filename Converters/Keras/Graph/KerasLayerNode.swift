import MLCCore

/// A layer of a model with the layers inside it, as the file describes it.
package struct KerasLayerNode: Sendable {
  /// Where the archive files its weights: `/layers/sequential/layers/conv2d`.
  package var id: String
  /// The user's name, below the names of the models around it: `encoder/conv2d`.
  package var path: String
  package var name: String, className: String
  package var config: KerasConfig
  /// `nil` when mlc has no such layer.
  package var type: (any KerasLayer.Type)?
  /// Layers inside: those of a model, the one that a wrapper wraps.
  package var children: [KerasLayerNode] = []
  /// How a model's layers are connected; `nil` for other layers.
  package var topology: KerasTopology?
  /// The name under which a class of the model's author is registered.
  package var customName: String?
  /// Whether it is an operation between tensors, `x + y`, which Keras 3 writes down among the layers and names like
  /// one.
  package var isOperation = false

  package var isTrainable: Bool {
    if case .bool(false)? = config["trainable"] { false } else { true }
  }

  /// The child that the attribute `key` holds.
  package func child(_ key: String) -> KerasLayerNode? { children.first { $0.id == "\(id)/\(key)" } }

  /// The node with this one and all below it.
  package var family: [KerasLayerNode] { [self] + children.flatMap { $0.family } }
}

extension KerasLayerNode {
  /// Reads a layer's description. Throws `keras.layer`, `keras.config` and what `KerasTopology` throws.
  static func read(_ json: JSON, id: String, within outer: String, isKeras2: Bool) throws(Diagnostic) -> KerasLayerNode
  {
    guard case .object(let members) = json, case .string(let className)? = members["class_name"] else {
      throw Diagnostic("keras.layer", "a layer of \(outer.isEmpty ? "the model" : "'\(outer)'") has no class")
    }
    // Before 2.2, a Sequential's config is the list of its layers.
    var config: [String: JSON] = [:]
    switch members["config"] {
    case .object(let object)?: config = object
    case .array(let layers)?: config = ["layers": .array(layers)]
    default: break
    }
    var name = className
    if case .string(let text)? = members["name"] {
      name = text
    } else if case .string(let text)? = config["name"] {
      name = text
    }
    if config["build_input_shape"] == nil, case .object(let build)? = members["build_config"] {
      config["build_input_shape"] = build["input_shape"]
    }
    var node = KerasLayerNode(
      id: id,
      path: outer.isEmpty ? name : "\(outer)/\(name)",
      name: name,
      className: className,
      config: KerasConfig(config)
    )
    node.customName = KerasLayerNode.custom(members, className)
    if case .string(let module)? = members["module"] {
      node.isOperation = module.hasPrefix("keras.src.ops.")
    } else {
      // Whole-model HDF5 leaves the module out; operations have no settings of layers.
      node.isOperation = !isKeras2 && node.config["dtype"] == nil && node.config["trainable"] == nil
    }
    if node.customName == nil { node.type = KerasLayerTable.type(of: node) }
    try node.readChildren(isKeras2: isKeras2)
    return node
  }

  /// The registered name of a class that is not Keras' own.
  private static func custom(_ members: [String: JSON], _ className: String) -> String? {
    let module: String? = if case .string(let text)? = members["module"] { text } else { nil }
    // Its applications register classes as an author does.
    if let module, applications.contains(where: module.hasPrefix) { return nil }
    if case .string(let registered)? = members["registered_name"], registered.contains(">") { return registered }
    guard let module else { return nil }
    let roots = ["keras", "tf_keras", "tensorflow", "builtins"]
    let root = module.prefix { $0 != "." }
    return roots.contains(String(root)) ? nil : "\(module).\(className)"
  }

  private static let applications = ["keras.applications.", "keras.src.applications.", "tf_keras.src.applications."]

  private mutating func readChildren(isKeras2: Bool) throws(Diagnostic) {
    guard let type else { return }
    var found: [(key: String, layer: JSON)] = []
    if type is KerasModelLayer.Type {
      let layers = try KerasTopology.layers(config)
      found = zip(KerasLayerNode.fileNames(layers), layers).map { ("layers/\($0)", $1) }
    } else {
      found = try type.innerLayers(config)
    }
    for (key, layer) in found {
      let outer = id == "" && type is KerasModelLayer.Type ? "" : path
      children.append(try .read(layer, id: "\(id)/\(key)", within: outer, isKeras2: isKeras2))
    }
    if type is KerasModelLayer.Type { topology = try KerasTopology(self) }
  }

  /// How an archive names layers of one list: by class, those that follow another of their class with a number.
  static func fileNames(_ layers: [JSON]) -> [String] {
    var counts: [String: Int] = [:]
    return layers.map { layer in
      let base = fileName(layer)
      defer { counts[base, default: 0] += 1 }
      return counts[base].map { "\(base)_\($0)" } ?? base
    }
  }

  /// How an archive names a layer: its class in snake case.
  private static func fileName(_ layer: JSON) -> String {
    guard case .object(let members) = layer, case .string(let className)? = members["class_name"] else { return "" }
    // The class is saved under another name than its own.
    let own = className == "GroupQueryAttention" ? "GroupedQueryAttention" : className
    let letters = Array(own.unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) })
    var result = String.UnicodeScalarView()
    for (index, letter) in letters.enumerated() {
      let isUpper = letter.properties.isUppercase
      let followsLower = index > 0 && letters[index - 1].properties.isLowercase
      let precedesLower = index + 1 < letters.count && letters[index + 1].properties.isLowercase
      if index > 0, isUpper, followsLower || precedesLower { result.append("_") }
      result.append(letter)
    }
    return String(result).lowercased()
  }
}
