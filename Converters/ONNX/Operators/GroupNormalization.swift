import MLCCore
import MLCGraph
import MLCOps

/// ONNX `GroupNormalization` → `layer_norm` of each group of channels, then `mul` and `add`. Scale and bias have one
/// element for each group in operator set 18, later one for each channel.
package enum ONNXGroupNormalization: ONNXOperator {
  package static let types = ["GroupNormalization"]
  package static var sinceOpset: Int { 18 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, scale, bias) = (try context.required(0), try context.required(1), try context.required(2))
    let epsilon = Double(try node.float("epsilon", default: 1e-5))
    let (groups, perGroup) = (try node.int("num_groups") ?? 0, context.opset < 21)
    return [try normalized(x, groups, epsilon, scale, bias, perGroup: perGroup, in: &context)]
  }

  /// `x: [N, C, *D]` normalised in `groups` of channels, with a factor and an amount for each group or each channel.
  static func normalized(
    _ x: ValueID,
    _ groups: Int,
    _ epsilon: Double,
    _ scale: ValueID,
    _ bias: ValueID,
    perGroup: Bool,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let shape = context.fact(x).shape
    guard shape.count < 2 || shape[1].constant != nil else {
      let message = "the channels of \(context.fact(x).type) are not known before run time"
      throw Diagnostic("onnx.group-norm", message, kind: .unsupported)
    }
    guard shape.count >= 2, let channels = shape[1].constant, groups > 0, channels.isMultiple(of: groups) else {
      throw Diagnostic("onnx.group-norm", "\(groups) groups do not divide the channels of \(context.fact(x).type)")
    }
    let grouped = try context.reshape(x, [shape[0], Dim(groups), Dim(channels / groups)] + shape[2...])
    var y = try context.emit(LayerNorm(axes: Array(2..<shape.count + 1), epsilon: epsilon), grouped)
    if perGroup { y = try affine(y, scale, bias, in: &context) }
    y = try context.reshape(y, shape, sources: [x])
    return perGroup ? y : try affine(y, scale, bias, in: &context)
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
