import MLCCore
import MLCHDF5

/// The weights of a model by layer.
package struct KerasWeights: Sendable {
  /// By `KerasLayerNode.id`, in the order of `KerasLayer.weights`.
  private var tensors: [String: [Tensor]] = [:]

  package subscript(id: String) -> [Tensor] { tensors[id] ?? [] }

  /// Finds the weights of every layer of `model`. Throws `keras.weights` when a layer's are missing, too many or of a
  /// type that tensors do not have, `keras.config`.
  init(_ model: KerasLayerNode, in file: KerasFile) throws(Diagnostic) {
    switch file.filing {
    case .paths: try readPaths(model, file.weights)
    case .legacy: try readLegacy(model, file.weights)
    }
  }

  private static func problem(_ node: KerasLayerNode, _ what: String) -> Diagnostic {
    Diagnostic("keras.weights", what, at: Location(node: node.path, op: node.className))
  }

  // MARK: Archives

  private mutating func readPaths(_ model: KerasLayerNode, _ file: HDF5File) throws(Diagnostic) {
    for node in model.family {
      guard let type = node.type else { continue }
      let names = try located(node) { () throws(Diagnostic) in try type.weights(node.config) }
      for index in names.indices {
        // Older archives begin with "_layer_checkpoint_dependencies".
        let old = node.id.replacing("/layers/", with: "/_layer_checkpoint_dependencies/")
        let places = try type.archivePlaces(index, node.config)
        let candidates = [node.id, old].flatMap { id in places.map { "\(id)/\($0)" } }
        guard let tensor = candidates.lazy.compactMap({ file[$0]?.dataset?.tensor }).first else {
          throw KerasWeights.problem(node, "the archive holds no \(names[index].name) for it, at \(candidates[0])")
        }
        tensors[node.id, default: []].append(tensor)
      }
    }
  }

  private func located<R>(
    _ node: KerasLayerNode,
    _ body: () throws(Diagnostic) -> R
  ) throws(Diagnostic) -> R {
    try locating(Location(node: node.path, op: node.className), body)
  }

  // MARK: Whole-model HDF5

  /// The group of a layer lists the weights of all layers inside it: first what is trained, then the rest.
  private mutating func readLegacy(_ model: KerasLayerNode, _ file: HDF5File) throws(Diagnostic) {
    let root = file["/model_weights"] == nil ? "" : "/model_weights"
    for layer in model.children {
      let slots = try trained(layer) + fixed(layer)
      if slots.isEmpty { continue }
      let group = "\(root)/\(layer.name)"
      let names = KerasWeights.list("weight_names", of: file[group])
      guard names.count == slots.count else {
        let wanted = slots.map { $0.name }.joined(separator: ", ")
        throw KerasWeights.problem(
          layer,
          "the file holds \(names.count) weights for it; it has \(slots.count): \(wanted)"
        )
      }
      for (slot, name) in zip(slots, names) {
        guard let tensor = file["\(group)/\(name)"]?.dataset?.tensor else {
          throw KerasWeights.problem(layer, "the file holds no array of numbers at \(group)/\(name)")
        }
        tensors[slot.id, default: []].append(tensor)
      }
    }
    // A layer lists what is trained first in its own order as well.
    for node in model.family where tensors[node.id] != nil {
      guard let type = node.type else { continue }
      tensors[node.id] = KerasWeights.declared(try type.weights(node.config), tensors[node.id]!)
    }
  }

  private typealias Slot = (id: String, name: String)

  private func own(_ node: KerasLayerNode, trained: Bool) throws(Diagnostic) -> [Slot] {
    guard let type = node.type else { return [] }
    let weights = try located(node) { () throws(Diagnostic) in try type.weights(node.config) }
    return weights.filter { $0.isTrained == trained }.map { (node.id, $0.name) }
  }

  private func trained(_ node: KerasLayerNode) throws(Diagnostic) -> [Slot] {
    guard node.isTrainable else { return [] }
    var slots: [Slot] = []
    for child in node.children { slots += try trained(child) }
    return slots + (try own(node, trained: true))
  }

  private func fixed(_ node: KerasLayerNode) throws(Diagnostic) -> [Slot] {
    var (frozen, slots): ([Slot], [Slot]) = ([], [])
    for child in node.children {
      if !node.isTrainable { frozen += try trained(child) }
      slots += try fixed(child)
    }
    if !node.isTrainable { frozen += try own(node, trained: true) }
    return frozen + slots + (try own(node, trained: false))
  }

  /// Tensors listed with the trained ones first, in the order of declaration.
  private static func declared(_ weights: [KerasWeight], _ listed: [Tensor]) -> [Tensor] {
    guard weights.count == listed.count else { return listed }
    var (trained, fixed) = (0, weights.count { $0.isTrained })
    return weights.map { weight in
      defer { if weight.isTrained { trained += 1 } else { fixed += 1 } }
      return listed[weight.isTrained ? trained : fixed]
    }
  }

  /// A list of strings, which HDF5 may have cut into `name0`, `name1` … because attributes are small.
  static func list(_ name: String, of object: HDF5Object?) -> [String] {
    if let whole = object?[attribute: name]?.strings { return whole }
    var result: [String] = []
    var index = 0
    while let part = object?[attribute: "\(name)\(index)"]?.strings {
      result += part
      index += 1
    }
    return result
  }
}
