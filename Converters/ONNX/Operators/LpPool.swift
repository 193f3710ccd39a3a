import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LpPool` → `avg_pool` of the powers, times the elements of a window; `GlobalLpPool` → a norm over all places.
/// In version 1 the order is a float.
package enum ONNXLpPool: ONNXOperator {
  package static let types = ["LpPool", "GlobalLpPool"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let p = try context.opset < 2 ? order(node) : node.int("p", default: 2)
    guard p >= 1 else { throw Diagnostic("onnx.norm-order", "\(node.opType) has no order \(p)") }
    let powers = try power(x, p, in: &context)
    if node.opType == "GlobalLpPool" {
      guard context.fact(x).rank > 2 else {
        throw Diagnostic("onnx.global-pool", "\(context.fact(x).type) has no places")
      }
      let axes = Array(2..<context.fact(x).rank)
      return [try root(try context.emit(ReduceSum(axes: axes, keepDims: true), powers), p, in: &context)]
    }
    var op = AvgPool()
    try ONNXPooling.read(node, context.fact(x), into: &op)
    let padded = op.ceilMode ? try filled(powers, &op, in: &context) : powers
    guard let count = op.kernelSizes.checkedProduct else {
      throw Diagnostic("onnx.kernel-shape", "a window of \(op.kernelSizes)")
    }
    let sums = try context.scaled(try context.emit(op, padded), by: Double(count))
    return [try root(sums, p, in: &context)]
  }

  /// The order of version 1; 0 where it is not whole.
  private static func order(_ node: ONNXNode) throws(Diagnostic) -> Int {
    Int(exactly: try node.float("p", default: 2)) ?? 0
  }

  /// `x` with zeros around it instead of `op`'s padding, as many as the last window of each axis needs.
  private static func filled(_ x: ValueID, _ op: inout AvgPool, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let count = op.kernelSizes.count
    let strides = op.strides.isEmpty ? op.kernelSizes.map { _ in 1 } : op.strides
    let dilations = op.dilations.isEmpty ? op.kernelSizes.map { _ in 1 } : op.dilations
    var pad = op.pad.isEmpty ? [Int](repeating: 0, count: 2 * count) : op.pad
    let extents = context.fact(x).shape[2...].compactMap(\.constant)
    let limit = 1 << 31
    guard extents.count == count, op.padType == "custom", pad.count == 2 * count, strides.count == count,
      dilations.count == count,
      (pad + op.kernelSizes + strides + dilations + extents).allSatisfy({ 0..<limit ~= $0 }),
      !strides.contains(0), !op.kernelSizes.contains(0)
    else { throw Diagnostic("onnx.kernel-shape", "ceil_mode of LpPool needs known sizes", kind: .unsupported) }
    for axis in 0..<count {
      let window = (op.kernelSizes[axis] - 1) * dilations[axis] + 1
      let length = extents[axis] + pad[2 * axis] + pad[2 * axis + 1]
      let steps = length < window ? 0 : (length - window + strides[axis] - 1) / strides[axis]
      // A window that would start behind the data and its padding before is none.
      let last = steps * strides[axis] >= extents[axis] + pad[2 * axis] ? steps - 1 : steps
      pad[2 * axis + 1] += max(0, last * strides[axis] + window - length)
    }
    (op.pad, op.ceilMode) = ([], false)
    return try context.emit(Pad(mode: "constant"), x, context.constant(ints: pad, "pad"))
  }

  private static func power(_ x: ValueID, _ p: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    if p == 2 { return try context.emit(Mul(), x, x) }
    let size = try context.emit(Abs(), x)
    return p == 1 ? size : try context.emit(Pow(), size, try context.number(Double(p), like: x))
  }

  private static func root(_ x: ValueID, _ p: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    if p == 1 { return x }
    return p == 2 ? try context.emit(Sqrt(), x) : try context.emit(Pow(), x, try context.number(1 / Double(p), like: x))
  }
}
