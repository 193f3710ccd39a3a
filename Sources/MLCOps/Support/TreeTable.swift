import MLCCore
import MLCGraph

/// The trees of a `tree_ensemble` as its operands say them, checked: every descent ends at a leaf.
package struct TreeTable: Sendable {
  package let roots: [Int]
  /// By node.
  package let feature: [Int], split: [Double], comparison: [Comparison], onTrue: [Int], onFalse: [Int], missing: [Bool]
  /// The first weight of each leaf, and the number of weights.
  package let leafBegin: [Int]
  /// By weight.
  package let target: [Int], weight: [Double]

  package enum Comparison: Int, Sendable, CaseIterable {
    case lessEqual, less, greaterEqual, greater, equal, notEqual

    package func holds(_ x: Double, _ split: Double) -> Bool {
      switch self {
      case .lessEqual: x <= split
      case .less: x < split
      case .greaterEqual: x >= split
      case .greater: x > split
      case .equal: x == split
      case .notEqual: x != split
      }
    }
  }

  /// Operands that are not constant are `nil`. Throws `tree_ensemble.trees`, `tree_ensemble.shape`,
  /// `tree_ensemble.mode`, `tree_ensemble.dtype`.
  package init(_ operands: Operands<Tensor?>) throws(Diagnostic) {
    func numbers(_ name: String) throws(Diagnostic) -> Tensor {
      guard let tensor = operands[name] else { throw Self.broken("'\(name)' is computed as the model runs") }
      return tensor
    }
    func integers(_ name: String) throws(Diagnostic) -> [Int] {
      let tensor = try numbers(name)
      guard tensor.dtype.isInteger else { throw Diagnostic.dtype("tree_ensemble", tensor.dtype, name) }
      return tensor.integers
    }
    (roots, feature) = (try integers("roots"), try integers("feature"))
    (onTrue, onFalse) = (try integers("on_true"), try integers("on_false"))
    (leafBegin, target) = (try integers("leaf_begin"), try integers("target"))
    (split, weight) = (try numbers("split").doubles, try numbers("weight").doubles)
    comparison = try integers("comparison").map { (code) throws(Diagnostic) in
      guard let comparison = Comparison(rawValue: code) else {
        throw Diagnostic("tree_ensemble.mode", "no comparison has the number \(code)")
      }
      return comparison
    }
    if let given = operands[optional: "missing"] {
      guard let given, given.dtype == .bool else { throw Self.broken("'missing' is no constant of truth values") }
      missing = given.integers.map { $0 != 0 }
    } else {
      missing = [Bool](repeating: false, count: feature.count)
    }
    try check()
  }

  private static func broken(_ why: String) -> Diagnostic { Diagnostic("tree_ensemble.trees", why) }

  private var leafCount: Int { leafBegin.count - 1 }

  private func check() throws(Diagnostic) {
    let lengths = [split.count, comparison.count, onTrue.count, onFalse.count, missing.count]
    guard lengths.allSatisfy({ $0 == feature.count }), target.count == weight.count, !leafBegin.isEmpty else {
      throw Diagnostic("tree_ensemble.shape", "what describes nodes, leaves or weights has different lengths")
    }
    guard feature.count + leafBegin.count < 1 << 30, target.count < 1 << 30, roots.count < 1 << 30 else {
      throw Diagnostic("tree_ensemble.shape", "trees of \(feature.count) nodes and \(leafCount) leaves are too large")
    }
    if roots.isEmpty { throw Self.broken("there are no trees") }
    for root in roots { try check(child: root, of: -1) }
    for node in feature.indices {
      guard 0..<(1 << 30) ~= feature[node] else { throw Self.broken("node \(node) reads feature \(feature[node])") }
      if split[node].isNaN { throw Self.broken("node \(node) compares with NaN") }
      try check(child: onTrue[node], of: node)
      try check(child: onFalse[node], of: node)
    }
    let isRising = zip(leafBegin, leafBegin.dropFirst()).allSatisfy { $0 <= $1 }
    guard leafBegin[0] == 0, isRising, leafBegin[leafCount] == weight.count else {
      throw Self.broken("the leaves do not divide \(weight.count) weights")
    }
    guard weight.allSatisfy(\.isFinite) else { throw Self.broken("a weight is not finite") }
  }

  private func check(child: Int, of node: Int) throws(Diagnostic) {
    if child < 0 ? child >= -leafCount : child > node && child < feature.count { return }
    let what = node < 0 ? "a root" : "a child of node \(node)"
    throw Self.broken("\(what) is \(child); there are \(feature.count) nodes, parents first, and \(leafCount) leaves")
  }

  /// How many features a row has at least.
  package var leastColumns: Int { 1 + (feature.max() ?? 0) }

  package func weights(of leaf: Int) -> Range<Int> { leafBegin[leaf]..<leafBegin[leaf + 1] }

  /// The leaf that a descent from `root` ends at.
  func leaf(from root: Int, _ value: (_ feature: Int) -> Double) -> Int {
    var place = root
    while place >= 0 {
      let x = value(feature[place])
      let holds = comparison[place].holds(x, split[place]) || (missing[place] && x.isNaN)
      place = holds ? onTrue[place] : onFalse[place]
    }
    return -1 - place
  }
}
