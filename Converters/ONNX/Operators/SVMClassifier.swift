import MLCCore
import MLCGraph
import MLCOps

/// ONNX `SVMClassifier`: the class with most votes of machines for each pair of classes, the first among equals, and
/// the pairs' scores or, with `prob_a` and `prob_b`, the classes' probabilities; fp32. Without support vectors a linear
/// machine for each class.
package enum ONNXSVMClassifier: ONNXMachineLearning {
  package static let types = ["SVMClassifier"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let labels = try ONNXClassLabels(node, integers: "classlabels_ints")
    let transform = try ONNXPostTransform(node)
    let counts = try node.ints("vectors_per_class") ?? []
    guard counts.allSatisfy({ 0..<1 << 31 ~= $0 }), counts.count < 1 << 16 else {
      throw Diagnostic("onnx.svm", "the numbers of support vectors are none that exist")
    }
    let machine = try ONNXSupportVectors(node, count: counts.reduce(0, +))
    let x = try context.cast(try context.features(), to: .float32)
    if machine.count == 0 { return try linear(x, machine, labels, transform, in: &context) }
    let pairs = try ClassPairs(node, labels.count, counts, machine)
    let scores = try pairs.scores(of: try machine.kernels(of: x, in: &context), in: &context)
    let label = try labels.chosen(by: try pairs.winner(scores, in: &context), in: &context)
    if let probabilities = try pairs.probabilities(scores, in: &context) {
      return [label, try transform.apply(probabilities, in: &context)]
    }
    if labels.count > 2 { return [label, try transform.apply(scores, in: &context)] }
    return [label, try transform.both(scores, isProbability: transform != .none, in: &context)]
  }

  /// The class of the greatest score; of two the second where that is above 0, or from 0.5 on where no coefficient is
  /// negative, as onnxruntime has it.
  private static func linear(
    _ x: ValueID,
    _ machine: ONNXSupportVectors,
    _ labels: ONNXClassLabels,
    _ transform: ONNXPostTransform,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> [ValueID] {
    let scores = try machine.linear(x, rows: labels.count, in: &context)
    let result = try transform.apply(scores, in: &context)
    if labels.count > 2 { return [try labels.greatest(of: scores, in: &context), result] }
    let greatest = try context.emit(ReduceMax(axes: [1]), scores)
    let isSecond =
      machine.coefficientsArePositive
      ? try context.emit(GreaterEqual(), greatest, try context.number(0.5, like: greatest))
      : try context.emit(Greater(), greatest, try context.number(0, like: greatest))
    let place = try context.emit(ReduceArgmax(axis: 1, outputDType: .int64), scores)
    let number = try context.emit(Maximum(), place, try context.cast(isSecond, to: .int64))
    return [try labels.chosen(by: number, in: &context), result]
  }
}
