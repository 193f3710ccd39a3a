import MLCCore
import MLCGraph
import MLCOps

/// ONNX `TreeEnsembleClassifier` → `tree_ensemble`, the base values, and the class of the greatest score. Scores are
/// fp32.
///
/// Of two classes, where leaves have weights for the first alone, these speak for the second one: it is chosen beyond
/// 0.5, or beyond 0 where some weight is negative, and the first one's score follows.
package enum ONNXTreeEnsembleClassifier: ONNXMachineLearning {
  package static let types = ["TreeEnsembleClassifier"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let trees = try ONNXTreeNodes(node, weightsOf: "class")
    let labels = try ONNXClassLabels(node, integers: "classlabels_int64s")
    let base = try node.numbers("base_values", orTensor: "base_values_as_tensor")
    let transform = try ONNXPostTransform(node)
    let isBinary = labels.count == 2 && trees.targets == [0]
    let columns = isBinary ? 1 : labels.count
    guard base.values.isEmpty || base.values.count == columns else {
      let message = "\(base.values.count) base values for \(columns) classes with weights"
      throw Diagnostic("onnx.trees", message, kind: .unsupported)
    }
    var x = try context.features()
    if trees.isWide || base.isWide { x = try context.cast(x, to: .float64) }
    let sums = try context.scores(trees.draft, of: x, .sum, targets: columns)
    let scores = try context.cast(try context.adding(base.values, to: sums), to: .float32)
    if isBinary { return try binary(scores, trees.isPositive, transform, labels, in: &context) }
    return [try labels.greatest(of: scores, in: &context), try transform.apply(scores, in: &context)]
  }

  private static func binary(
    _ score: ValueID,
    _ isPositive: Bool,
    _ transform: ONNXPostTransform,
    _ labels: ONNXClassLabels,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> [ValueID] {
    let limit = try context.number(isPositive ? 0.5 : 0, like: score)
    let isSecond = try context.emit(Squeeze([1]), try context.emit(Greater(), score, limit))
    let label = try labels.chosen(by: try context.cast(isSecond, to: .int64), in: &context)
    return [label, try transform.both(score, isProbability: isPositive, in: &context)]
  }
}

extension ONNXPostTransform {
  /// The scores of two classes from the second one's `[N, 1]`: after a logistic its own and that of the opposite score;
  /// else the first one's is 1 less the score where that is a probability, or the opposite score. Throws
  /// `onnx.post-transform` for PROBIT, which leaves the first one's open.
  func both(_ score: ValueID, isProbability: Bool, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    if self == .probit {
      throw Diagnostic("onnx.post-transform", "PROBIT of one score for two classes", kind: .unsupported)
    }
    let opposite =
      isProbability && self != .logistic
      ? try context.emit(Sub(), try context.number(1, like: score), score) : try context.emit(Neg(), score)
    let pair = try context.concat([opposite, score], axis: 1)
    return self == .logistic ? try context.emit(Sigmoid(), pair) : pair
  }
}
