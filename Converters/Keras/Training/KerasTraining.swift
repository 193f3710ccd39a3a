import MLCCore
import MLCHDF5

/// How the author of a Keras model trains it, as the file has it: what `compile` was given, and which layers learn.
package struct KerasTraining: Sendable {
  /// The paths of the layers whose weights stay as they are, of those inside them too.
  package let frozen: Set<String>
  /// What `compile` was given; `nil` where it was not called.
  private let compiled: [String: JSON]?

  /// Throws what `KerasFile.read` throws, and what describes no layers.
  package static func read(_ path: String, helper: HDF5Helper = .init()) throws(Diagnostic) -> KerasTraining {
    let file = try KerasFile.read(path, helper: helper)
    return try locating(Location(file: path)) { () throws(Diagnostic) in try KerasTraining(file) }
  }

  package init(_ file: KerasFile) throws(Diagnostic) {
    let model = try KerasLayerNode.read(file.model, id: "", within: "", isKeras2: file.isKeras2)
    frozen = Set(model.frozen)
    if case .object(let members)? = file.training { compiled = members } else { compiled = nil }
  }

  /// `nil` where the model was not compiled. Throws `keras.training`, naming what mlc has no equal for.
  package func loss() throws(Diagnostic) -> KerasLoss? {
    guard let compiled, let loss = KerasConfig(compiled)["loss"] else { return nil }
    if KerasConfig(compiled)["loss_weights"] != nil { throw KerasTraining.refusal("'loss_weights'") }
    return try KerasLoss(loss)
  }

  /// `nil` where the model was not compiled. Throws `keras.training`, naming what mlc has no equal for.
  package func optimizer() throws(Diagnostic) -> KerasOptimizer? {
    guard let compiled else { return nil }
    // Whole-model HDF5 has another key than archives.
    let config = KerasConfig(compiled)
    guard let optimizer = config["optimizer"] ?? config["optimizer_config"] else { return nil }
    return try KerasOptimizer(optimizer)
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
  /// The paths of layers that do not learn.
  fileprivate var frozen: [String] { isTrainable ? children.flatMap { $0.frozen } : family.map { $0.path } }
}
