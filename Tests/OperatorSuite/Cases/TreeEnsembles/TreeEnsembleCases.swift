import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let treeEnsembleCases: [OperatorCase] = [
    trees(
      "tree_ensemble.sum",
      .sum,
      stumps([(0, 0, 1), (1, 2, 0.5)]),
      rows([-1, 3, 0, 2, 1, .nan, .infinity, -.infinity]),
      [-1 + 0.5, 1 + 0.5, 1 + 0.5, 1 - 0.5]
    ),
    trees("tree_ensemble.average", .average, stumps([(0, 0, 1), (1, 2, 0.5)]), rows([-1, 3]), [-0.25]),
    trees("tree_ensemble.min", .min, stumps([(0, 0, 1), (1, 2, 0.5)]), rows([-1, 3, 1, 3]), [-1, 0.5]),
    trees("tree_ensemble.max", .max, stumps([(0, 0, 1), (1, 2, 0.5)]), rows([-1, 3, 1, 1]), [0.5, 1]),
    trees("tree_ensemble.double", .sum, stumps([(0, 0x1p-60, 1)]), rows([0, 0, 1, 0], .float64), [-1, 1], .float64),
    comparison("tree_ensemble.less", .less, [true, false, false, false]),
    comparison("tree_ensemble.less-equal", .lessEqual, [true, true, false, false]),
    comparison("tree_ensemble.greater", .greater, [false, false, true, false]),
    comparison("tree_ensemble.greater-equal", .greaterEqual, [false, true, true, false]),
    comparison("tree_ensemble.equal", .equal, [false, true, false, false]),
    comparison("tree_ensemble.not-equal", .notEqual, [true, false, true, true]),
    comparison("tree_ensemble.less-missing", .less, [true, false, false, true], missing: true),
    comparison("tree_ensemble.greater-missing", .greater, [false, false, true, true], missing: true),
    comparison("tree_ensemble.equal-missing", .equal, [false, true, false, true], missing: true),
    trees("tree_ensemble.shared", .sum, shared, rows([0, 0, 1, 0, 1, 1]), [1, 1, 2]),
    trees("tree_ensemble.deep", .sum, chain(40), rows((0..<10).flatMap { [Double($0) * 5 - 2, 0] }), steps),
    trees("tree_ensemble.nothing", .sum, stumps([(0, 0, 1)]), Tensor([0, 2], floats: []), []),
    classes,
  ]

  private static func trees(
    _ label: String,
    _ aggregate: TreeEnsemble.Aggregate,
    _ draft: TreeDraft,
    _ x: Tensor,
    _ expected: [Double],
    _ dtype: DType = .float32,
    targets: Int = 1
  ) -> OperatorCase {
    OperatorCase(
      label,
      TreeEnsemble(aggregate: aggregate, targets: targets),
      [[x]] + (try! draft.operands(dtype)).map { [$0] },
      expected: [Tensor(dtype, [x.shape[0], targets], expected)],
      constants: Set(TreeEnsemble.portNames.dropFirst())
    )
  }

  private static func rows(_ values: [Double], _ dtype: DType = .float32) -> Tensor {
    Tensor(dtype, [values.count / 2, 2], values)
  }

  private static func node(
    _ feature: Int,
    _ comparison: TreeTable.Comparison,
    _ split: Double,
    _ onTrue: Int,
    _ onFalse: Int,
    missing: Bool = false
  ) -> TreeDraft.Node {
    .init(feature: feature, split: split, comparison: comparison, onTrue: onTrue, onFalse: onFalse, missing: missing)
  }

  /// Trees of one node each: -weight where x[feature] < split, else weight.
  private static func stumps(_ list: [(feature: Int, split: Double, weight: Double)]) -> TreeDraft {
    var draft = TreeDraft()
    for (feature, split, weight) in list {
      draft.roots.append(draft.nodes.count)
      draft.nodes.append(node(feature, .less, split, -1 - draft.leaves.count, -2 - draft.leaves.count))
      draft.leaves += [[.init(-weight, target: 0)], [.init(weight, target: 0)]]
    }
    return draft
  }

  /// Whether `comparison` with 1 holds for 0, 1, 2 and NaN: 1 or 0.
  private static func comparison(
    _ label: String,
    _ comparison: TreeTable.Comparison,
    _ expected: [Bool],
    missing: Bool = false
  ) -> OperatorCase {
    var draft = TreeDraft()
    draft.nodes = [node(1, comparison, 1, -1, -2, missing: missing)]
    (draft.leaves, draft.roots) = ([[.init(1, target: 0)], []], [0])
    return trees(label, .sum, draft, rows([5, 0, 5, 1, 5, 2, 5, .nan]), expected.map { $0 ? 1 : 0 })
  }

  /// Two ways to one node: 2 where both features are above 0, else 1.
  private static var shared: TreeDraft {
    var draft = TreeDraft()
    draft.nodes = [node(0, .greater, 0, 1, 2), node(1, .greater, 0, -2, 2), node(0, .lessEqual, 9, -1, -1)]
    (draft.leaves, draft.roots) = ([[.init(1, target: 0)], [.init(2, target: 0)]], [0])
    return draft
  }

  /// Node k asks whether x[0] ≤ k, and is followed by the next if not; leaf k gives k.
  private static func chain(_ count: Int) -> TreeDraft {
    var draft = TreeDraft()
    draft.nodes = (0..<count).map { node(0, .lessEqual, Double($0), -1 - $0, $0 + 1 < count ? $0 + 1 : -1 - count) }
    draft.leaves = (0...count).map { [.init(Double($0), target: 0)] }
    draft.roots = [0]
    return draft
  }
  private static let steps = (0..<10).map { Double(max(0, min(40, $0 * 5 - 2))) }

  /// Three targets; leaves with two weights, one and none.
  private static var classes: OperatorCase {
    var draft = TreeDraft()
    draft.nodes = [node(0, .lessEqual, 0, -1, 1), node(1, .lessEqual, 0, -2, -3)]
    draft.leaves = [[.init(1, target: 0), .init(2, target: 2)], [.init(3, target: 1)], []]
    draft.roots = [0, -2]
    let expected: [Double] = [1, 3, 2, 0, 6, 0, 0, 3, 0]
    return trees("tree_ensemble.classes", .sum, draft, rows([0, 0, 1, 0, 1, 1]), expected, targets: 3)
  }
}
