import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BatchNormalization` → `batch_norm` with the statistics that are given, or in training mode with those of the
/// batch: the mean and the variance, divided by the number of elements, over all axes but that of channels.
///
/// Training mode is `is_test` 0 before operator set 7, more outputs than one before 14, then `training_mode`. It gives
/// besides the running mean and variance, `given · momentum + batch · (1 − momentum)`, and before 14 those of the
/// batch. Before 9 `spatial` 0 keeps statistics for each position, `[C, *D]`: then it is arithmetic.
package enum ONNXBatchNormalization: ONNXOperator {
  package static let types = ["BatchNormalization"]
  package static var operation: String? { "batch_norm" }
  package static var note: String { "arithmetic besides in training mode, and with spatial 0" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    guard context.fact(x).rank >= 2, context.fact(x).dtype.isFloat else {
      throw Diagnostic("onnx.batch-norm", "\(context.fact(x).type) has no channels of floats")
    }
    let given = [try context.required(3), try context.required(4)]
    guard try isTraining(node, context) else { return [try normalized(x, given, node, in: &context)] }
    context.noteTraining("takes its statistics from the batch")
    let batch = try statistics(of: x, like: given[0], node, in: &context)
    let momentum = Double(try node.float("momentum", default: 0.9))
    var running: [ValueID] = []
    for (old, new) in zip(given, batch) {
      let kept = try context.scaled(old, by: momentum)
      running.append(try context.emit(Add(), kept, try context.scaled(new, by: 1 - momentum)))
    }
    return [try normalized(x, batch, node, in: &context)] + running + (context.opset < 14 ? batch : [])
  }

  private static func isTraining(_ node: ONNXNode, _ context: ONNXContext) throws(Diagnostic) -> Bool {
    if context.opset < 7 { return try !node.flag("is_test") }
    if context.opset < 14 { return node.outputs.dropFirst().contains { !$0.isEmpty } }
    return try node.flag("training_mode")
  }

  private static func isSpatial(_ node: ONNXNode, _ context: ONNXContext) throws(Diagnostic) -> Bool {
    context.opset >= 9 ? true : try node.flag("spatial", default: true)
  }

  /// Mean and variance of the batch, of the type of those that are given.
  private static func statistics(of x: ValueID, like given: ValueID, _ node: ONNXNode, in context: inout ONNXContext)
    throws(Diagnostic) -> [ValueID]
  {
    let dtype = context.fact(given).dtype
    guard dtype.isFloat else { throw Diagnostic("onnx.batch-norm", "the mean is \(context.fact(given).type)") }
    let axes = try isSpatial(node, context) ? [0] + Array(2..<context.fact(x).rank) : [0]
    let wide = try context.cast(x, to: dtype)
    let mean = ReduceMean(axes: axes, keepDims: true)
    let centre = try context.emit(mean, wide)
    let distance = try context.emit(Sub(), wide, centre)
    let variance = try context.emit(mean, try context.emit(Mul(), distance, distance))
    return [try context.emit(Squeeze(axes), centre), try context.emit(Squeeze(axes), variance)]
  }

  private static func normalized(
    _ x: ValueID,
    _ statistics: [ValueID],
    _ node: ONNXNode,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let epsilon = Double(try node.float("epsilon", default: 1e-5))
    let (scale, bias) = (try context.required(1), try context.required(2))
    if try isSpatial(node, context) {
      return try context.emit(BatchNorm(epsilon: epsilon), x, statistics[0], statistics[1], scale, bias)
    }
    let root = try context.emit(Sqrt(), try context.raised(statistics[1], by: epsilon))
    let quotient = try context.emit(RealDiv(), try context.emit(Sub(), x, statistics[0]), root)
    return try context.emit(Add(), try context.emit(Mul(), quotient, scale), bias)
  }
}
