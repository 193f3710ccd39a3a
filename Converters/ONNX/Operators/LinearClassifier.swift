import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LinearClassifier` → `linear` and the class of the greatest score; fp32. One score for two classes is that of
/// the second one, which is chosen above 0; the first one's follows.
package enum ONNXLinearClassifier: ONNXMachineLearning {
  package static let types = ["LinearClassifier"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let labels = try ONNXClassLabels(node, integers: "classlabels_ints")
    let transform = try ONNXPostTransform(node)
    let count = try node.floats("intercepts")?.count ?? labels.count
    guard count == labels.count || (count == 1 && labels.count == 2) else {
      throw Diagnostic("onnx.class-labels", "\(count) scores for \(labels.count) classes")
    }
    let scores = try context.linear(node, rows: count)
    if count > 1 {
      return [try labels.greatest(of: scores, in: &context), try transform.apply(scores, in: &context)]
    }
    let isSecond = try context.emit(Greater(), scores, try context.number(0, like: scores))
    let number = try context.cast(try context.emit(Squeeze([1]), isSecond), to: .int64)
    let label = try labels.chosen(by: number, in: &context)
    return [label, try transform.both(scores, isProbability: true, in: &context)]
  }
}
