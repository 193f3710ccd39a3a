import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Softmax` and `LogSoftmax` → `softmax` and `log_softmax`.
///
/// Before operator set 13 the axes from `axis` (1 by default) on count as one: the data is reshaped to a matrix and
/// back.
package enum ONNXSoftmax: ONNXOperator {
  package static let types = ["Softmax", "LogSoftmax"]
  package static var operation: String? { "softmax, log_softmax" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let old = context.opset < 13
    let axis = try node.int("axis", default: old ? 1 : -1)
    let isLog = node.opType == "LogSoftmax"
    return [try softmax(try context.required(0), axis: axis, joinsAxes: old, isLog: isLog, in: &context)]
  }

  /// `x` along `axis`, or with `joinsAxes` over the axes from `axis` on.
  static func softmax(
    _ x: ValueID,
    axis: Int,
    joinsAxes: Bool,
    isLog: Bool,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let rank = context.fact(x).rank
    let axis = try normalized(axis: axis, rank: rank, "softmax")
    guard joinsAxes, axis != rank - 1 else { return try context.emit(op(isLog, axis), x) }
    if let y = try flattened(isLog, x, axis, in: &context) { return y }
    return try composed(isLog, x, axis, in: &context)
  }

  /// As a matrix; `nil` when its rows or the way back are not constants of the graph.
  private static func flattened(_ isLog: Bool, _ x: ValueID, _ axis: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID?
  {
    let shape = context.fact(x).shape
    let leading = axis == 1 ? 0 : shape[..<axis].reduce(1, *).constant
    guard let leading, leading != 0 || axis == 1, !shape.contains(0), shape.filter({ $0.constant == nil }).count <= 1
    else { return nil }
    let matrix = try context.emit(Reshape(), x, context.constant(ints: [leading, -1], "matrix"))
    let y = try context.emit(op(isLog, 1), matrix)
    return try context.emit(Reshape(), y, context.constant(ints: shape.map { $0.constant ?? -1 }, "shape"))
  }

  /// Step by step over several axes.
  private static func composed(_ isLog: Bool, _ x: ValueID, _ axis: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let axes = Array(axis..<context.fact(x).rank)
    var (largest, total) = (ReduceMax(), ReduceSum())
    (largest.axes, largest.keepDims, total.axes, total.keepDims) = (axes, true, axes, true)
    let shifted = try context.emit(Sub(), x, try context.emit(largest, x))
    let powers = try context.emit(Exp(), shifted)
    let sum = try context.emit(total, powers)
    if !isLog { return try context.emit(RealDiv(), powers, sum) }
    return try context.emit(Sub(), shifted, try context.emit(Log(), sum))
  }

  private static func op(_ isLog: Bool, _ axis: Int) -> any Operator {
    isLog ? LogSoftmax(axis: axis) : Softmax(axis: axis)
  }
}
