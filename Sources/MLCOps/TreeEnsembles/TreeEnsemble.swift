import MLCCore
import MLCGraph

/// What decision trees give together: `x: T[N, F]` → `y: T[N, K]`, K = `targets`.
///
/// A row descends each tree from its root to a leaf, whose weights go to targets; y is by row and target what the
/// weights of all trees come to by `aggregate`: `sum`, `average` (the sum divided by the number of trees), `min` or
/// `max`. A target that no weight reached is 0. Sums are taken in double, in the order of the trees, and round once.
///
/// The trees are constants. `roots: int[R]` names nodes, as do `on_true, on_false: int[M]`: a number from 0 on is a
/// node, one below is the leaf `-1 - number`. Node m goes to `on_true[m]` where `x[feature[m]] ⋚ split[m]`, or, with
/// `missing[m]`, where that feature is NaN; else to `on_false[m]`. `comparison[m]` is 0 for ≤, 1 <, 2 ≥, 3 >, 4 =,
/// 5 ≠; NaN is ≠ to everything and nothing else. Nodes come before their children and may share them. Leaf l has the
/// weights from `leaf_begin[l]` up to `leaf_begin[l + 1]` of `weight: T[W]`, for the targets `target: int[W]`.
///
/// Throws `tree_ensemble.dtype` unless T is fp32 or fp64, `tree_ensemble.shape`, `tree_ensemble.mode`,
/// `tree_ensemble.trees`. Source: ONNX `TreeEnsemble`, Core ML's tree ensembles; mlc extension.
package struct TreeEnsemble: Operator {
  package var aggregate = Aggregate.sum.rawValue
  package var targets = 1

  package enum Aggregate: String, Sendable { case sum, average, min, max }

  package static let schema = Schema<TreeEnsemble>(
    "tree_ensemble",
    [
      .input("x", rank: 2...2), .input("roots", rank: 1...1), .input("feature", rank: 1...1),
      .input("split", rank: 1...1), .input("comparison", rank: 1...1), .input("on_true", rank: 1...1),
      .input("on_false", rank: 1...1), .input("missing", rank: 1...1, optional: true),
      .input("leaf_begin", rank: 1...1), .input("target", rank: 1...1), .input("weight", rank: 1...1),
      .attribute("aggregate", \.aggregate), .attribute("targets", \.targets),
    ]
  )
  package init() {}
  package init(aggregate: Aggregate, targets: Int) { (self.aggregate, self.targets) = (aggregate.rawValue, targets) }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype == .float32 || x.dtype == .float64 else { throw Diagnostic.dtype(Self.name, x.dtype) }
    for name in ["split", "weight"] where inputs[name].dtype != x.dtype {
      throw Diagnostic.dtype(Self.name, inputs[name].dtype, name)
    }
    let trees = try TreeTable(inputs.map(\.value))
    try check(trees, columns: x.shape[1].constant)
    return [Fact(x.dtype, [x.shape[0], Dim(targets)])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let trees = try TreeTable(inputs.map { $0 })
    try check(trees, columns: x.shape[1])
    try checkSize(x.dtype, [x.shape[0], targets], Self.name)
    let (values, columns) = (x.doubles, x.shape[1])
    var y: [Double] = []
    for row in 0..<x.shape[0] { y += result(trees, values[row * columns..<(row + 1) * columns]) }
    return [Tensor(x.dtype, [x.shape[0], targets], y)]
  }

  /// By target, for one row.
  private func result(_ trees: TreeTable, _ row: ArraySlice<Double>) -> [Double] {
    var reached = [[Double]](repeating: [], count: targets)
    for root in trees.roots {
      let leaf = trees.leaf(from: root) { row[row.startIndex + $0] }
      for place in trees.weights(of: leaf) { reached[trees.target[place]].append(trees.weight[place]) }
    }
    return reached.map { weights in
      switch Aggregate(rawValue: aggregate) {
      case .min: weights.min() ?? 0
      case .max: weights.max() ?? 0
      case .average: weights.reduce(0, +) / Double(trees.roots.count)
      case .sum, nil: weights.reduce(0, +)
      }
    }
  }

  private func check(_ trees: TreeTable, columns: Int?) throws(Diagnostic) {
    guard Aggregate(rawValue: aggregate) != nil else {
      throw Diagnostic("tree_ensemble.mode", "no aggregate is called '\(aggregate)'")
    }
    guard 1...(1 << 20) ~= targets else {
      throw Diagnostic("tree_ensemble.shape", "\(targets) targets; expected 1 to \(1 << 20)")
    }
    if let wrong = trees.target.first(where: { $0 < 0 || $0 >= targets }) {
      throw Diagnostic("tree_ensemble.trees", "a weight is for target \(wrong) of \(targets)")
    }
    if let columns, columns < trees.leastColumns {
      let message = "the trees read feature \(trees.leastColumns - 1), and rows have \(columns)"
      throw Diagnostic("tree_ensemble.shape", message)
    }
  }
}
