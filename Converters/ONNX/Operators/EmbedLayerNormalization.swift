import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `EmbedLayerNormalization`: the sum of the embeddings of words, positions and segments, normalised over
/// the last axis. Without `position_ids` positions count from 0. The second output counts the ones in each row of
/// `mask`, 0 without one; the third is the sum.
package enum ONNXEmbedLayerNormalization: ONNXMicrosoftOperator {
  package static let types = ["EmbedLayerNormalization"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let ids = try context.required(0)
    var positions = context.input(8)
    if positions == nil { positions = try context.places(of: ids, axis: 1) }
    let words = try context.emit(Gather(axis: 0), try context.required(2), ids)
    let places = try context.emit(Gather(axis: 0), try context.required(3), positions)
    var sum = try context.emit(Add(), words, places, output: 2)
    if let table = context.input(4) {
      let segments = try context.emit(Gather(axis: 0), table, try context.required(1))
      sum = try context.emit(Add(), sum, segments, output: 2)
    }
    let epsilon = Double(try node.float("epsilon", default: 1e-12))
    let op = LayerNorm(axes: [context.fact(sum).rank - 1], epsilon: epsilon)
    let y = try context.emit(op, sum, try context.required(5), try context.required(6))
    return [y, try lengths(ids, context.input(7), in: &context), sum]
  }

  /// How many ones each row of `mask` has, `int32`.
  private static func lengths(_ ids: ValueID, _ mask: ValueID?, in context: inout ONNXContext) throws(Diagnostic)
    -> ValueID
  {
    let one = try context.constant(1, context.fact(mask ?? ids).dtype, "one")
    let isOne = try context.emit(Equal(), mask ?? ids, one, output: 1)
    let counts = try context.emit(ReduceSum(axes: [1]), try context.cast(isOne, to: .int32), output: 1)
    if mask != nil { return counts }
    return try context.emit(Mul(), counts, context.constant(.scalar(.int32, 0), "none"), output: 1)
  }
}
