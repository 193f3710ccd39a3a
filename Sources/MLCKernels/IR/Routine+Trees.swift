import MLCCore

extension Routine {
  /// What trees give together, by row: x `[rows, columns]`, fp32 or fp64, to y `[rows, targets]` of its type.
  ///
  /// Parameters: x, the splits of `nodes` nodes (of x's type), their links, int32, for each tree its root and how many
  /// steps lead to its farthest leaf, int32 `[trees, 2]`, what leaves give, then stored: y. A leaf's links lead to the
  /// leaf itself, so that a descent may take more steps than it has to.
  ///
  /// With `oneWeight` a node has one number, of x's type, that it gives to the only target: the leaves' weights.
  /// Otherwise node n gives weights `first[n] ..< first[n] + count[n]`, int32 `[nodes, 2]`, to targets `target`,
  /// int32 `[weights]`, of `weight [weights]`: three parameters.
  package struct Trees: Hashable, Sendable {
    package enum Links: Hashable, Sendable {
      /// `[nodes, 2]`: a feature and a node. It is the next where `x ≤ split`; else the one behind it is. Where
      /// `lowest`, feature 2·f + 1 stands for f with −∞ in the place of NaN, and 2·f for f.
      case ordered(lowest: Bool)
      /// `[nodes, 4]`: a feature, a mask, two nodes. The first is the next where the mask has bit 0 and x is less, bit
      /// 1 and x is equal, bit 2 and x is greater, bit 3 and x is NaN; else the second is.
      case masked

      package var width: Int { self == .masked ? 4 : 2 }
    }
    package enum Aggregate: Hashable, Sendable { case sum, average, min, max }

    package var rows: Dim, columns: Dim
    package var targets: Int, trees: Int, nodes: Int, weights: Int
    package var links: Links
    package var oneWeight: Bool
    package var aggregate: Aggregate
    /// The most steps to a leaf.
    package var depth: Int

    package init(
      rows: Dim,
      columns: Dim,
      targets: Int,
      trees: Int,
      nodes: Int,
      weights: Int,
      links: Links,
      oneWeight: Bool,
      aggregate: Aggregate,
      depth: Int
    ) {
      (self.rows, self.columns, self.targets, self.trees) = (rows, columns, targets, trees)
      (self.nodes, self.weights, self.links, self.oneWeight) = (nodes, weights, links, oneWeight)
      (self.aggregate, self.depth) = (aggregate, depth)
    }

    /// How many elements each parameter has.
    package var extents: [Dim] {
      let leaves = oneWeight ? [Dim(nodes)] : [Dim(nodes * 2), Dim(weights), Dim(weights)]
      let shape = [rows * columns, Dim(nodes), Dim(nodes * links.width), Dim(trees * 2)]
      return shape + leaves + [rows * Dim(targets)]
    }
  }
}
