import MLCCore
import MLCGraph
import MLCOps

/// ONNX `TreeEnsembleRegressor` → `tree_ensemble` and the base values. Scores are fp32. Of a single target PROBIT alone
/// transforms the score, as in onnxruntime.
package enum ONNXTreeEnsembleRegressor: ONNXMachineLearning {
  package static let types = ["TreeEnsembleRegressor"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let trees = try ONNXTreeNodes(node, weightsOf: "target")
    let base = try node.numbers("base_values", orTensor: "base_values_as_tensor")
    let count = try node.int("n_targets", default: 1)
    guard base.values.isEmpty || base.values.count == count else {
      throw Diagnostic("onnx.trees", "\(base.values.count) base values for \(count) targets")
    }
    let name = try node.string("aggregate_function", default: "SUM")
    guard let aggregate = TreeEnsemble.Aggregate(rawValue: name.lowercased()) else {
      throw Diagnostic("onnx.trees", "no aggregate is called '\(name)'")
    }
    let transform = try ONNXPostTransform(node)
    var x = try context.features()
    if trees.isWide || base.isWide { x = try context.cast(x, to: .float64) }
    let sums = try context.scores(trees.draft, of: x, aggregate, targets: count)
    let scores = try context.cast(try context.adding(base.values, to: sums), to: .float32)
    return [count == 1 && transform != .probit ? scores : try transform.apply(scores, in: &context)]
  }
}
