import MLCCore
import MLCGraph
import MLCOps

/// ONNX `TreeEnsemble` → `tree_ensemble`. A node that asks whether a feature is one of several numbers becomes as many
/// nodes that ask for one. Of a single target PROBIT alone transforms the score, as in onnxruntime.
package enum ONNXTreeEnsemble: ONNXMachineLearning {
  package static let types = ["TreeEnsemble"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let count = try node.int("n_targets", default: 1)
    let code = try node.int("aggregate_function", default: 1)
    let aggregates: [TreeEnsemble.Aggregate] = [.average, .sum, .min, .max]
    let transforms: [ONNXPostTransform] = [.none, .softmax, .logistic, .softmaxZero, .probit]
    let transform = try node.int("post_transform", default: 0)
    guard aggregates.indices.contains(code), transforms.indices.contains(transform) else {
      throw Diagnostic("onnx.trees", "no aggregate has the number \(code), or no transformation \(transform)")
    }
    let given = context.fact(try context.required(0)).dtype
    let x = try context.features()
    let sums = try context.scores(try draft(node), of: x, aggregates[code], targets: count)
    let isPlain = count == 1 && transforms[transform] != .probit
    let scores = isPlain ? sums : try transforms[transform].apply(sums, in: &context)
    return [try context.cast(scores, to: given.isFloat ? given : .float32)]
  }

  private static func draft(_ node: ONNXNode) throws(Diagnostic) -> TreeDraft {
    let features = try node.ints("nodes_featureids") ?? []
    let modes = try node.tensor("nodes_modes")?.integers ?? []
    let splits = try numbers(node, "nodes_splits")
    let (yes, no) = (try node.ints("nodes_truenodeids") ?? [], try node.ints("nodes_falsenodeids") ?? [])
    let (yesIsLeaf, noIsLeaf) = (try node.ints("nodes_trueleafs") ?? [], try node.ints("nodes_falseleafs") ?? [])
    let missing = try node.ints("nodes_missing_value_tracks_true") ?? []
    let lengths = [modes.count, splits.count, yes.count, no.count, yesIsLeaf.count, noIsLeaf.count]
    let isWhole = [0, features.count].contains(missing.count)
    guard lengths.allSatisfy({ $0 == features.count }), isWhole, !features.isEmpty else {
      throw Diagnostic("onnx.trees", "the lists of nodes are empty or have different lengths")
    }
    var draft = TreeDraft()
    draft.leaves = try leaves(node)
    var members = ONNXTreeMembers(try numbers(node, "membership_values"))
    func child(_ number: Int, _ isLeaf: Int) throws(Diagnostic) -> Int {
      guard 0..<(isLeaf == 0 ? features.count : draft.leaves.count) ~= number else {
        throw Diagnostic("onnx.trees", "no \(isLeaf == 0 ? "node" : "leaf") has the number \(number)")
      }
      return isLeaf == 0 ? number : -1 - number
    }
    var more: [TreeDraft.Node] = []
    for index in features.indices {
      var made = TreeDraft.Node(
        feature: features[index],
        split: splits[index],
        comparison: .equal,
        onTrue: try child(yes[index], yesIsLeaf[index]),
        onFalse: try child(no[index], noIsLeaf[index]),
        missing: missing.isEmpty ? false : missing[index] != 0
      )
      if modes[index] == 6 {
        more += try members.split(&made, from: features.count + more.count)
      } else if let comparison = TreeTable.Comparison(rawValue: modes[index]) {
        made.comparison = comparison
      } else {
        throw Diagnostic("onnx.trees", "no node has the mode \(modes[index])")
      }
      draft.nodes.append(made)
    }
    draft.nodes += more
    for root in try node.ints("tree_roots") ?? [] {
      let start = try child(root, 0)
      let first = draft.nodes[start]
      draft.roots.append(first.onTrue < 0 && first.onTrue == first.onFalse ? first.onTrue : start)
    }
    return draft
  }

  private static func numbers(_ node: ONNXNode, _ name: String) throws(Diagnostic) -> [Double] {
    guard let tensor = try node.tensor(name) else { return [] }
    guard tensor.dtype.isFloat else { throw Diagnostic("onnx.trees", "'\(name)' is \(tensor.type), not floats") }
    return tensor.doubles
  }

  private static func leaves(_ node: ONNXNode) throws(Diagnostic) -> [[TreeDraft.Weight]] {
    let (targets, weights) = (try node.ints("leaf_targetids") ?? [], try numbers(node, "leaf_weights"))
    guard targets.count == weights.count else {
      throw Diagnostic("onnx.trees", "\(targets.count) targets of leaves, and \(weights.count) weights")
    }
    return zip(targets, weights).map { [TreeDraft.Weight($1, target: $0)] }
  }
}

/// The numbers of nodes that ask for membership, in the order of these nodes; NaN ends each one's.
private struct ONNXTreeMembers {
  private var rest: ArraySlice<Double>

  init(_ values: [Double]) { rest = values[...] }

  /// Makes `node` ask for the first of its numbers, and gives those nodes, numbered from `number` on, that ask for the
  /// others. Throws `onnx.trees`.
  mutating func split(_ node: inout TreeDraft.Node, from number: Int) throws(Diagnostic) -> [TreeDraft.Node] {
    guard let end = rest.firstIndex(where: \.isNaN), end > rest.startIndex else {
      throw Diagnostic("onnx.trees", "a node asks for membership among no numbers")
    }
    var chain = rest[..<end].map { value in
      var one = node
      one.split = value
      return one
    }
    rest = rest[(end + 1)...]
    for place in chain.indices.dropLast() { chain[place].onFalse = number + place }
    node = chain.removeFirst()
    return chain
  }
}
