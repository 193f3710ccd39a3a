import MLCCore
import MLCGraph
import MLCOps

/// ONNX `RotaryEmbedding`: pairs of elements of each head turned by the angle of their place, of which cosine and sine
/// are given, `a·cos − b·sin` and `a·sin + b·cos`. Pairs are neighbours when `interleaved`, else a half apart.
package enum ONNXRotaryEmbedding: ONNXOperator {
  package static let types = ["RotaryEmbedding"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    var (x, shape) = (given, context.fact(given).shape)
    if shape.count == 3 {
      let heads = try node.int("num_heads", default: 0)
      guard heads > 0, let width = shape[2].constant, width.isMultiple(of: heads) else {
        throw Diagnostic("onnx.rotary-embedding", "num_heads does not divide \(context.fact(x).type)")
      }
      x = try context.reshape(x, [shape[0], shape[1], Dim(heads), Dim(width / heads)])
    }
    guard context.fact(x).rank == 4, let size = context.fact(x).shape[3].constant else {
      throw Diagnostic("onnx.rotary-embedding", "\(context.fact(given).type) has no heads of a known size")
    }
    var turning = try node.int("rotary_embedding_dim", default: 0)
    if turning == 0 { turning = size }
    guard turning > 0, turning <= size, turning.isMultiple(of: 2) else {
      throw Diagnostic("onnx.rotary-embedding", "\(turning) of \(size) elements cannot be turned in pairs")
    }
    let angles = [
      try table(1, headAxis: shape.count == 3 ? 2 : 1, in: &context),
      try table(2, headAxis: shape.count == 3 ? 2 : 1, in: &context),
    ]
    let part = turning == size ? x : try context.slice(x, axis: 3, from: 0, to: turning)
    var y = try turned(part, turning, angles, isInterleaved: try node.flag("interleaved"), in: &context)
    if turning < size { y = try context.concat([y, try context.slice(x, axis: 3, from: turning)], axis: 3) }
    shape = context.fact(given).shape
    return [try context.reshape(y, shape, sources: [given])]
  }

  /// Cosines or sines by batch and place, with an axis for the heads.
  private static func table(_ index: Int, headAxis: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    var table = try context.required(index)
    if let places = context.input(3) { table = try context.emit(Gather(axis: 0), table, places) }
    guard context.fact(table).rank == 3 else {
      throw Diagnostic("onnx.rotary-embedding", "cosines and sines are \(context.fact(table).type), expected rank 3")
    }
    return try context.emit(ExpandDims([headAxis]), table)
  }

  private static func turned(
    _ x: ValueID,
    _ size: Int,
    _ angles: [ValueID],
    isInterleaved: Bool,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let (a, b): (ValueID, ValueID)
    if isInterleaved {
      (a, b) = (try context.slice(x, axis: 3, from: 0, step: 2), try context.slice(x, axis: 3, from: 1, step: 2))
    } else {
      (a, b) = (try context.slice(x, axis: 3, from: 0, to: size / 2), try context.slice(x, axis: 3, from: size / 2))
    }
    let (cos, sin) = (angles[0], angles[1])
    let real = try context.emit(Sub(), try context.emit(Mul(), a, cos), try context.emit(Mul(), b, sin))
    let imaginary = try context.emit(Add(), try context.emit(Mul(), a, sin), try context.emit(Mul(), b, cos))
    guard isInterleaved else { return try context.concat([real, imaginary], axis: 3) }
    let pairs = [try context.emit(ExpandDims([4]), real), try context.emit(ExpandDims([4]), imaginary)]
    return try context.reshape(try context.concat(pairs, axis: 4), context.fact(x).shape, sources: [x])
  }
}
