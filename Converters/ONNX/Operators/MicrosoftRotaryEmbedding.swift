import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `RotaryEmbedding`: ONNX', whose places are one number, that of the first element of each batch, or one
/// for each element, and whose heads are as wide as the table of cosines says where nothing else does.
package enum ONNXMicrosoftRotaryEmbedding: ONNXMicrosoftOperator {
  package static let types = ["RotaryEmbedding"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, cos) = (try context.required(0), try context.required(2))
    guard try node.float("scale", default: 1) == 1, try !node.flag("is_packed_batching") else {
      throw Diagnostic("onnx.rotary-embedding", "scale and is_packed_batching are not supported", kind: .unsupported)
    }
    guard let half = context.fact(cos).shape.last?.constant, 1...(1 << 24) ~= half else {
      throw Diagnostic("onnx.rotary-embedding", "cosines are \(context.fact(cos).type)")
    }
    var size = try node.int("rotary_embedding_dim", default: 0)
    if size == 0 { size = 2 * half }
    var (heads, isFlat) = (x, context.fact(x).rank == 3)
    if isFlat {
      var count = try node.int("num_heads", default: 0)
      if count == 0, let width = context.fact(x).shape[2].constant { count = width / size }
      heads = try context.splitHeads(x, count)
    }
    guard context.fact(heads).rank == 4 else {
      throw Diagnostic("onnx.rotary-embedding", "\(context.fact(x).type) has no heads of a known size")
    }
    let places = try places(heads, in: &context)
    let tables = try [cos, try context.required(3)].map { (table) throws(Diagnostic) in
      try context.emit(ExpandDims([1]), try context.emit(Gather(axis: 0), table, places))
    }
    let rotation = ONNXRotation(size: size, isInterleaved: try node.flag("interleaved"))
    let y = try rotation.turned(heads, tables[0], tables[1], in: &context)
    return [isFlat ? try context.joinHeads(y) : y]
  }

  /// Of each element of each batch, or of all batches: `[batch or 1, length]`.
  private static func places(_ heads: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let given = try context.required(1)
    if context.fact(given).rank == 2 { return given }
    guard context.fact(given).shape == [1] else {
      throw Diagnostic("onnx.rotary-embedding", "position_ids is \(context.fact(given).type)")
    }
    let steps = try context.emit(ExpandDims([0]), try context.places(of: heads, axis: 2))
    return try context.emit(Add(), steps, try context.cast(given, to: .int64))
  }
}
