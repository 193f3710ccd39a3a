import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// The trees of an ensemble: nodes in one list, named by tree and number. The root of a tree is its one node that is
/// nobody's child.
struct TreeNodes {
  private typealias Node = CoreML_Specification_TreeEnsembleParameters.TreeNode

  let targets: Int
  private let base: [Double]
  private var draft = TreeDraft()
  /// How many features a row has at least.
  private var leastColumns = 1

  private struct Name: Hashable { var tree: UInt64, node: UInt64 }

  /// Throws `coreml.trees`.
  init(_ parameters: CoreML_Specification_TreeEnsembleParameters, _ context: PartContext) throws(Diagnostic) {
    targets = Int(clamping: parameters.numPredictionDimensions)
    base = parameters.basePredictionValue
    func damaged(_ message: String) -> Diagnostic { context.damaged("coreml.trees", message) }
    guard 1...(1 << 20) ~= targets, [0, targets].contains(base.count) else {
      throw damaged("\(base.count) base values for \(parameters.numPredictionDimensions) results of the trees")
    }
    let places = try Self.places(parameters.nodes, context)
    for node in parameters.nodes {
      guard let comparison = Self.comparison(node) else {
        draft.leaves.append(try weights(node, context))
        continue
      }
      let names = [node.trueChildNodeID, node.falseChildNodeID].map { Name(tree: node.treeID, node: $0) }
      guard let onTrue = places[names[0]], let onFalse = places[names[1]] else {
        throw damaged("tree \(node.treeID) has no node that node \(node.nodeID) leads to")
      }
      let feature = Int(clamping: node.branchFeatureIndex)
      guard feature < 1 << 30, !node.branchFeatureValue.isNaN else {
        throw damaged("node \(node.nodeID) of tree \(node.treeID) compares what cannot be")
      }
      leastColumns = max(leastColumns, feature + 1)
      draft.nodes.append(
        TreeDraft.Node(
          feature: feature,
          split: node.branchFeatureValue,
          comparison: comparison,
          onTrue: onTrue,
          onFalse: onFalse,
          missing: node.missingValueTracksTrueChild
        )
      )
    }
    draft.roots = try Self.roots(parameters.nodes, places, context)
  }

  /// `fp64[1, targets]`. Throws `coreml.features`.
  func scores(in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let x = try context.row()
    let columns = context.fact(x).shape[1].constant ?? 0
    guard columns >= leastColumns else {
      throw context.damaged("coreml.features", "the trees read feature \(leastColumns - 1) of \(columns)")
    }
    return try context.adding(base, to: try context.scores(draft, of: x, .sum, targets: targets))
  }

  /// `nil` for leaves, and for what is no behaviour.
  private static func comparison(_ node: Node) -> TreeTable.Comparison? {
    switch node.nodeBehavior {
    case .branchOnValueLessThanEqual: .lessEqual
    case .branchOnValueLessThan: .less
    case .branchOnValueGreaterThanEqual: .greaterEqual
    case .branchOnValueGreaterThan: .greater
    case .branchOnValueEqual: .equal
    case .branchOnValueNotEqual: .notEqual
    case .leafNode, .UNRECOGNIZED: nil
    }
  }

  /// Nodes and leaves in their order, as a draft names them.
  private static func places(_ nodes: [Node], _ context: PartContext) throws(Diagnostic) -> [Name: Int] {
    var (branches, leaves) = (0, 0)
    var places: [Name: Int] = [:]
    for node in nodes {
      if case .UNRECOGNIZED(let code) = node.nodeBehavior {
        throw context.damaged("coreml.trees", "node \(node.nodeID) has the unknown behaviour \(code)")
      }
      let isLeaf = node.nodeBehavior == .leafNode
      if isLeaf { leaves += 1 } else { branches += 1 }
      let name = Name(tree: node.treeID, node: node.nodeID)
      guard places.updateValue(isLeaf ? -leaves : branches - 1, forKey: name) == nil else {
        throw context.damaged("coreml.trees", "tree \(node.treeID) has two nodes \(node.nodeID)")
      }
    }
    return places
  }

  /// In the order of the trees' first nodes.
  private static func roots(_ nodes: [Node], _ places: [Name: Int], _ context: PartContext) throws(Diagnostic) -> [Int]
  {
    var children: Set<Name> = []
    for node in nodes where node.nodeBehavior != .leafNode {
      children.formUnion([node.trueChildNodeID, node.falseChildNodeID].map { Name(tree: node.treeID, node: $0) })
    }
    var (trees, roots): ([UInt64], [UInt64: Int]) = ([], [:])
    var seen: Set<UInt64> = []
    for node in nodes {
      if seen.insert(node.treeID).inserted { trees.append(node.treeID) }
      let name = Name(tree: node.treeID, node: node.nodeID)
      if children.contains(name) { continue }
      if roots.updateValue(places[name] ?? 0, forKey: node.treeID) != nil {
        throw context.damaged("coreml.trees", "tree \(node.treeID) has two roots")
      }
    }
    guard !trees.isEmpty, roots.count == trees.count else {
      throw context.damaged("coreml.trees", "\(trees.count) trees with \(roots.count) roots")
    }
    return trees.compactMap { roots[$0] }
  }

  private func weights(_ node: Node, _ context: PartContext) throws(Diagnostic) -> [TreeDraft.Weight] {
    try node.evaluationInfo.map { (info) throws(Diagnostic) in
      guard info.evaluationIndex < UInt64(targets), info.evaluationValue.isFinite else {
        let message = "leaf \(node.nodeID) of tree \(node.treeID) gives \(info.evaluationValue)"
        throw context.damaged("coreml.trees", "\(message) to result \(info.evaluationIndex) of \(targets)")
      }
      return TreeDraft.Weight(info.evaluationValue, target: Int(info.evaluationIndex))
    }
  }
}
