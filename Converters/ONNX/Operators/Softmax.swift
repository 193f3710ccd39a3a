import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Softmax` and `LogSoftmax` → `softmax` and `log_softmax`.
///
/// Before operator set 13 the axes from `axis` (1 by default) on count as one: the data is reshaped to a matrix and
/// back.
package enum ONNXSoftmax: ONNXOperator {
  package static let types = ["Softmax", "LogSoftmax"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let fact = context.fact(x)
    let old = context.opset < 13
    let axis = try normalized(axis: try node.int("axis", default: old ? 1 : -1), rank: fact.rank, "softmax")
    guard old, axis != fact.rank - 1 else { return [try context.emit(op(node, axis), x)] }
    guard let y = try flattened(node, x, axis, in: &context) else { return [try composed(node, x, axis, in: &context)] }
    return [y]
  }

  /// As a matrix; `nil` when its rows or the way back are not constants of the graph.
  private static func flattened(_ node: ONNXNode, _ x: ValueID, _ axis: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID?
  {
    let shape = context.fact(x).shape
    let leading = axis == 1 ? 0 : shape[..<axis].reduce(1, *).constant
    guard let leading, leading != 0 || axis == 1, !shape.contains(0), shape.filter({ $0.constant == nil }).count <= 1
    else { return nil }
    let matrix = try context.emit(Reshape(), x, context.constant(ints: [leading, -1], "matrix"))
    let y = try context.emit(op(node, 1), matrix)
    return try context.emit(Reshape(), y, context.constant(ints: shape.map { $0.constant ?? -1 }, "shape"))
  }

  /// Step by step over several axes.
  private static func composed(_ node: ONNXNode, _ x: ValueID, _ axis: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let axes = Array(axis..<context.fact(x).rank)
    var (largest, total) = (ReduceMax(), ReduceSum())
    (largest.axes, largest.keepDims, total.axes, total.keepDims) = (axes, true, axes, true)
    let shifted = try context.emit(Sub(), x, try context.emit(largest, x))
    let powers = try context.emit(Exp(), shifted)
    let sum = try context.emit(total, powers)
    if node.opType == "Softmax" { return try context.emit(RealDiv(), powers, sum) }
    return try context.emit(Sub(), shifted, try context.emit(Log(), sum))
  }

  private static func op(_ node: ONNXNode, _ axis: Int) -> any Operator {
    node.opType == "Softmax" ? Softmax(axis: axis) : LogSoftmax(axis: axis)
  }
}
