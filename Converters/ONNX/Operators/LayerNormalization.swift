import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LayerNormalization` → `layer_norm` over the axes from `axis` on; the optional outputs Mean and InvStdDev are
/// computed apart. A scale or bias of fewer axes is applied by `mul` and `add`.
package enum ONNXLayerNormalization: ONNXOperator {
  package static let types = ["LayerNormalization"]
  package static var operation: String? { "layer_norm" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let fact = context.fact(x)
    let axis = try normalized(axis: try node.int("axis", default: -1), rank: fact.rank, "layer_norm")
    let axes = Array(axis..<fact.rank)
    let op = LayerNorm(axes: axes, epsilon: Double(try node.float("epsilon", default: 1e-5)))
    let (scale, bias) = (try context.required(1), context.input(2))
    let whole = [scale, bias].allSatisfy { $0.map { context.fact($0).rank == axes.count } ?? true }
    var y = whole ? try context.emit(op, x, scale, bias) : try context.emit(op, x)
    if !whole {
      y = try context.emit(Mul(), y, scale)
      if let bias { y = try context.emit(Add(), y, bias) }
    }
    guard node.output(1) != nil || node.output(2) != nil else { return [y] }
    return [y] + (try moments(x, axes, op.epsilon, in: &context))
  }

  /// Mean and 1 / √(variance + epsilon), named after the outputs 1 and 2.
  static func moments(_ x: ValueID, _ axes: [Int], _ epsilon: Double, in context: inout ONNXContext)
    throws(Diagnostic) -> [ValueID]
  {
    var mean = ReduceMean()
    (mean.axes, mean.keepDims) = (axes, true)
    let average = try context.emit(mean, x, output: 1)
    let centred = try context.emit(Sub(), x, average, output: 2)
    let variance = try context.emit(mean, try context.emit(Mul(), centred, centred, output: 2), output: 2)
    let small = try context.constant(epsilon, context.fact(x).dtype, "epsilon")
    let deviation = try context.emit(Sqrt(), try context.emit(Add(), variance, small, output: 2), output: 2)
    let one = try context.constant(1, context.fact(x).dtype, "one")
    return [average, try context.emit(RealDiv(), one, deviation, output: 2)]
  }
}
