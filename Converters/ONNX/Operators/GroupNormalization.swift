import MLCCore
import MLCGraph
import MLCOps

/// ONNX `GroupNormalization` → `layer_norm` of each group of channels, then `mul` and `add`. Scale and bias have one
/// element for each group in operator set 18, later one for each channel.
package enum ONNXGroupNormalization: ONNXOperator {
  package static let types = ["GroupNormalization"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, scale, bias) = (try context.required(0), try context.required(1), try context.required(2))
    let shape = context.fact(x).shape
    guard shape.count >= 2, let channels = shape[1].constant, let groups = try node.int("num_groups"), groups > 0,
      channels.isMultiple(of: groups)
    else { throw Diagnostic("onnx.group-norm", "num_groups does not divide the channels of \(context.fact(x).type)") }
    let grouped = try context.reshape(x, [shape[0], Dim(groups), Dim(channels / groups)] + shape[2...])
    let rank = shape.count + 1
    let op = LayerNorm(axes: Array(2..<rank), epsilon: Double(try node.float("epsilon", default: 1e-5)))
    var y = try context.emit(op, grouped)
    let perGroup = context.opset < 21
    if perGroup { y = try affine(y, scale, bias, in: &context) }
    y = try context.reshape(y, shape, sources: [x])
    return [perGroup ? y : try affine(y, scale, bias, in: &context)]
  }

  /// `x · scale + bias` along axis 1.
  private static func affine(_ x: ValueID, _ scale: ValueID, _ bias: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let axes = Array(1..<context.fact(x).rank - 1)
    let product = try context.emit(Mul(), x, try context.emit(ExpandDims(axes), scale))
    return try context.emit(Add(), product, try context.emit(ExpandDims(axes), bias))
  }
}
