import MLCCore
import MLCGraph
import MLCOps

/// ONNX `RotaryEmbedding`: pairs of elements of each head turned by the angle of their place, of which cosine and sine
/// are given: by place where `position_ids` says the places, else by batch and place.
package enum ONNXRotaryEmbedding: ONNXOperator {
  package static let types = ["RotaryEmbedding"]
  package static var sinceOpset: Int { 23 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    var x = given
    let shape = context.fact(given).shape
    if shape.count == 3 {
      let heads = try node.int("num_heads", default: 0)
      guard heads > 0, let width = shape[2].constant, width.isMultiple(of: heads) else {
        throw Diagnostic("onnx.rotary-embedding", "num_heads does not divide \(context.fact(x).type)")
      }
      x = try context.reshape(x, [shape[0], shape[1], Dim(heads), Dim(width / heads)])
    }
    var size = try node.int("rotary_embedding_dim", default: 0)
    if size == 0 { size = context.fact(x).shape.last?.constant ?? 0 }
    let rotation = ONNXRotation(size: size, isInterleaved: try node.flag("interleaved"))
    let headAxis = shape.count == 3 ? 2 : 1
    let (cos, sin) = (try table(1, headAxis, in: &context), try table(2, headAxis, in: &context))
    return [try context.reshape(try rotation.turned(x, cos, sin, in: &context), shape, sources: [given])]
  }

  /// Cosines or sines by batch and place, with an axis for the heads.
  private static func table(_ index: Int, _ headAxis: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID
  {
    var table = try context.required(index)
    if let places = context.input(3) { table = try context.emit(Gather(axis: 0), table, places) }
    guard context.fact(table).rank == 3 else {
      throw Diagnostic("onnx.rotary-embedding", "cosines and sines are \(context.fact(table).type), expected rank 3")
    }
    return try context.emit(ExpandDims([headAxis]), table)
  }
}
