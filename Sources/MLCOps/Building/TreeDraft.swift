import MLCCore
import MLCGraph

/// Trees with their nodes in any order, on the way to a `tree_ensemble`.
package struct TreeDraft: Sendable {
  /// Children are nodes, or below 0 leaves: -1 is the first.
  package struct Node: Sendable {
    package var feature: Int, split: Double, comparison: TreeTable.Comparison
    package var onTrue: Int, onFalse: Int
    /// Whether NaN goes where the comparison holds.
    package var missing: Bool

    package init(
      feature: Int,
      split: Double,
      comparison: TreeTable.Comparison,
      onTrue: Int,
      onFalse: Int,
      missing: Bool
    ) {
      (self.feature, self.split, self.comparison) = (feature, split, comparison)
      (self.onTrue, self.onFalse, self.missing) = (onTrue, onFalse, missing)
    }
  }
  package struct Weight: Sendable {
    package var target: Int, value: Double
    package init(_ value: Double, target: Int) { (self.value, self.target) = (value, target) }
  }

  package var nodes: [Node] = []
  package var leaves: [[Weight]] = []
  /// Nodes, or leaves as children name them.
  package var roots: [Int] = []

  package init() {}

  /// The operands of a `tree_ensemble` behind `x`, whose type is `dtype`, parents before their children; what no root
  /// leads to is left out. Throws `tree_ensemble.trees` where a node leads back to itself, or to none.
  package func operands(_ dtype: DType) throws(Diagnostic) -> [Tensor] {
    let order = try parentsFirst()
    var number = [Int](repeating: 0, count: nodes.count)
    for (place, node) in order.enumerated() { number[node] = place }
    func renamed(_ child: Int) -> Int { child < 0 ? child : number[child] }
    let sorted = order.map { nodes[$0] }
    let counts = leaves.map(\.count)
    let begins = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let weights = Array(leaves.joined())
    func integers(_ values: [Int]) -> Tensor { Tensor(.int32, [values.count], values) }
    return [
      integers(roots.map(renamed)), integers(sorted.map(\.feature)),
      Tensor(dtype, [sorted.count], sorted.map(\.split)), integers(sorted.map(\.comparison.rawValue)),
      integers(sorted.map { renamed($0.onTrue) }), integers(sorted.map { renamed($0.onFalse) }),
      Tensor(.bool, [sorted.count], sorted.map { $0.missing ? 1 : 0 } as [Int]), integers(begins),
      integers(weights.map(\.target)), Tensor(dtype, [weights.count], weights.map(\.value)),
    ]
  }

  /// The nodes that roots lead to: the reverse of the order in which a walk is done with them.
  private func parentsFirst() throws(Diagnostic) -> [Int] {
    enum State { case new, open, done }
    var state = [State](repeating: .new, count: nodes.count)
    var done: [Int] = []
    for root in roots.reversed() {
      var path = [root]
      while let place = path.last {
        if place < 0 ? place < -leaves.count : place >= nodes.count {
          throw Diagnostic("tree_ensemble.trees", "node or leaf \(place) does not exist")
        }
        if place < 0 || state[place] == .done {
          path.removeLast()
          continue
        }
        let children = [nodes[place].onTrue, nodes[place].onFalse]
        if state[place] == .open {
          state[place] = .done
          done.append(place)
          path.removeLast()
          continue
        }
        state[place] = .open
        for child in children where nodes.indices.contains(child) && state[child] == .open {
          throw Diagnostic("tree_ensemble.trees", "a node leads back to itself: the trees have a cycle")
        }
        path += children
      }
    }
    return done.reversed()
  }
}
