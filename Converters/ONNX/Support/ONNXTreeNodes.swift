import MLCCore
import MLCOps

/// The trees of `TreeEnsembleRegressor` and `TreeEnsembleClassifier`: nodes in lists, named by tree and number.
struct ONNXTreeNodes {
  private(set) var draft = TreeDraft()
  /// Whether splits or weights are doubles.
  private(set) var isWide: Bool
  /// The targets that a leaf has a weight for.
  private(set) var targets: Set<Int> = []
  /// Whether no weight is below 0.
  private(set) var isPositive = true

  private struct Name: Hashable { var tree: Int, node: Int }

  /// Nodes and leaves as a draft names them, by name.
  private var places: [Name: Int] = [:]

  /// `role` is `target` or `class`. Throws `onnx.trees`.
  init(_ node: ONNXNode, weightsOf role: String) throws(Diagnostic) {
    let (trees, numbers) = (try node.ints("nodes_treeids") ?? [], try node.ints("nodes_nodeids") ?? [])
    let modes = try node.strings("nodes_modes") ?? []
    let splits = try node.numbers("nodes_values", orTensor: "nodes_values_as_tensor")
    isWide = splits.isWide
    let features = try node.ints("nodes_featureids") ?? []
    let (yes, no) = (try node.ints("nodes_truenodeids") ?? [], try node.ints("nodes_falsenodeids") ?? [])
    let missing = try node.ints("nodes_missing_value_tracks_true") ?? []
    let lengths = [numbers.count, modes.count, splits.values.count, features.count, yes.count, no.count]
    guard !trees.isEmpty, lengths.allSatisfy({ $0 == trees.count }), [0, trees.count].contains(missing.count) else {
      throw Diagnostic("onnx.trees", "the lists of nodes are empty or have different lengths")
    }
    try nameNodes(zip(trees, numbers).map { Name(tree: $0, node: $1) }, modes)
    for index in trees.indices where modes[index] != "LEAF" {
      guard let comparison = Self.modes[modes[index]] else {
        throw Diagnostic("onnx.trees", "no node has the mode '\(modes[index])'")
      }
      draft.nodes.append(
        TreeDraft.Node(
          feature: features[index],
          split: splits.values[index],
          comparison: comparison,
          onTrue: try place(Name(tree: trees[index], node: yes[index])),
          onFalse: try place(Name(tree: trees[index], node: no[index])),
          missing: missing.isEmpty ? false : missing[index] != 0
        )
      )
    }
    try addWeights(node, role)
  }

  private static let modes: [String: TreeTable.Comparison] = [
    "BRANCH_LEQ": .lessEqual, "BRANCH_LT": .less, "BRANCH_GTE": .greaterEqual, "BRANCH_GT": .greater,
    "BRANCH_EQ": .equal, "BRANCH_NEQ": .notEqual,
  ]

  /// Numbers nodes and leaves in their order; the first of each tree is its root.
  private mutating func nameNodes(_ names: [Name], _ modes: [String]) throws(Diagnostic) {
    var (nodes, seen): (Int, Set<Int>) = (0, [])
    for (name, mode) in zip(names, modes) {
      if mode == "LEAF" { draft.leaves.append([]) } else { nodes += 1 }
      let place = mode == "LEAF" ? -draft.leaves.count : nodes - 1
      guard places.updateValue(place, forKey: name) == nil else {
        throw Diagnostic("onnx.trees", "tree \(name.tree) has two nodes \(name.node)")
      }
      if seen.insert(name.tree).inserted { draft.roots.append(place) }
    }
  }

  private func place(_ name: Name) throws(Diagnostic) -> Int {
    if let place = places[name] { return place }
    throw Diagnostic("onnx.trees", "tree \(name.tree) has no node \(name.node)")
  }

  /// Weights of nodes that are no leaves say nothing.
  private mutating func addWeights(_ node: ONNXNode, _ role: String) throws(Diagnostic) {
    let (trees, numbers) = (try node.ints("\(role)_treeids") ?? [], try node.ints("\(role)_nodeids") ?? [])
    let ids = try node.ints("\(role)_ids") ?? []
    let weights = try node.numbers("\(role)_weights", orTensor: "\(role)_weights_as_tensor")
    guard [numbers.count, ids.count, weights.values.count].allSatisfy({ $0 == trees.count }) else {
      throw Diagnostic("onnx.trees", "the lists of weights have different lengths")
    }
    isWide = isWide || weights.isWide
    for index in trees.indices {
      let leaf = try place(Name(tree: trees[index], node: numbers[index]))
      if leaf >= 0 { continue }
      draft.leaves[-1 - leaf].append(TreeDraft.Weight(weights.values[index], target: ids[index]))
      targets.insert(ids[index])
      if weights.values[index] < 0 { isPositive = false }
    }
  }
}
