import MLCCore
import MLCHDF5

/// How the author of a Keras model trains it, as the file has it: what `compile` was given, and which weights learn.
package struct KerasTraining: Sendable {
  /// The weights that learn, as the importer calls them: those that Keras trains, of layers that are `trainable` and
  /// within none that is not.
  package let weights: Set<String>
  private let model: KerasLayerNode
  /// What `compile` was given; `nil` where it was not called.
  private let compiled: KerasConfig?

  /// Throws what `KerasFile.read` throws, and what describes no layers.
  package static func read(_ path: String, helper: HDF5Helper = .init()) throws(Diagnostic) -> KerasTraining {
    let file = try KerasFile.read(path, data: false, helper: helper)
    return try locating(Location(file: path)) { () throws(Diagnostic) in try KerasTraining(file) }
  }

  package init(_ file: KerasFile) throws(Diagnostic) {
    model = try KerasLayerNode.read(file.model, id: "", within: "", isKeras2: file.isKeras2)
    if case .object(let members)? = file.training { compiled = KerasConfig(members) } else { compiled = nil }
    var names: Set<String> = []
    for layer in model.learning {
      for weight in try layer.type?.weights(layer.config) ?? [] where weight.isTrained {
        names.insert("\(layer.path).\(weight.name)")
      }
    }
    weights = names
  }

  /// Throws `keras.not-compiled` where `compile` was not called, `keras.training` with what mlc has no equal for, and
  /// `keras.config`.
  package func loss() throws(Diagnostic) -> KerasLoss {
    let config = try part("loss")
    if config["loss_weights"] != nil { throw KerasTraining.refusal("'loss_weights'") }
    try refuse("_regularizer")
    if let layer = model.family.first(where: { $0.className == "ActivityRegularization" }) {
      throw KerasTraining.refusal("the layer '\(layer.path)' (\(layer.className))")
    }
    return try KerasLoss(config["loss"] ?? .null, outputs: model.topology?.outputs.count ?? 1)
  }

  /// Throws `keras.not-compiled` where `compile` was not called, `keras.training` with what mlc has no equal for, and
  /// `keras.config`.
  package func optimizer() throws(Diagnostic) -> KerasOptimizer {
    // Whole-model HDF5 has another key than archives.
    let key = compiled?["optimizer_config"] == nil ? "optimizer" : "optimizer_config"
    let config = try part(key)
    try refuse("_constraint")
    return try KerasOptimizer(config[key] ?? .null)
  }

  /// What `compile` was given, `key` among it.
  private func part(_ key: String) throws(Diagnostic) -> KerasConfig {
    if let compiled, compiled[key] != nil { return compiled }
    let name = key == "loss" ? "loss" : "optimizer"
    throw Diagnostic("keras.not-compiled", "the file names no \(name): the model was saved without one", kind: .usage)
  }

  /// Refuses what layers that learn are configured with under keys that end so.
  private func refuse(_ suffix: String) throws(Diagnostic) {
    for layer in model.learning {
      let keys = layer.config.members.keys.filter { $0.hasSuffix(suffix) && layer.config[$0] != nil }
      if let key = keys.min() { throw KerasTraining.refusal("'\(key)' of the layer '\(layer.path)'") }
    }
  }

  static func refusal(_ what: String) -> Diagnostic {
    Diagnostic("keras.training", "mlc has no equal for \(what), with which the file trains", kind: .unsupported)
  }

  /// Class or function, and what it is configured with: a name alone, or an object.
  static func part(_ json: JSON, _ what: String) throws(Diagnostic) -> (name: String, config: KerasConfig) {
    switch json {
    case .string(let name): return (name, KerasConfig([:]))
    case .object(let members):
      switch (members["class_name"], members["config"]) {
      case (.string("function")?, .string(let name)?): return (name, KerasConfig([:]))
      case (.string(let name)?, .object(let config)?): return (name, KerasConfig(config))
      default: throw KerasConfig.wrong(what, "names no class")
      }
    default: throw KerasConfig.wrong(what, "is neither a name nor an object")
    }
  }
}

extension KerasConfig {
  /// Throws `keras.training` for the first key, in order, that is set to what none of `neutral` is. Keys of `used`, and
  /// values that are not given, are left alone.
  func require(_ neutral: [String: [JSON]], besides used: Set<String>, of name: String) throws(Diagnostic) {
    for key in members.keys.sorted() where !used.contains(key) {
      guard let value = self[key], neutral[key]?.contains(value) != true else { continue }
      throw KerasTraining.refusal("'\(key)' of \(name)")
    }
  }
}

extension KerasLayerNode {
  /// This layer and those inside it, but for those that do not learn and all inside them.
  fileprivate var learning: [KerasLayerNode] { isTrainable ? [self] + children.flatMap { $0.learning } : [] }
}
