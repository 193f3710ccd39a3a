import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ReverseSequence` → `gather` along the time of each batch: the first `sequence_lens` elements in reverse, the
/// others as they are.
package enum ONNXReverseSequence: ONNXOperator {
  package static let types = ["ReverseSequence"]
  package static var sinceOpset: Int { 10 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, lengths) = (try context.required(0), try context.required(1))
    let (batch, time) = (try node.int("batch_axis", default: 1), try node.int("time_axis", default: 0))
    guard context.fact(x).rank >= 2, context.fact(lengths).rank == 1, [batch, time].sorted() == [0, 1] else {
      let types = "\(context.fact(x).type) and \(context.fact(lengths).type)"
      throw Diagnostic("onnx.reverse-sequence", "axes \(batch) and \(time) are no batch and time of \(types)")
    }
    let turn = Transpose([1, 0] + Array(2..<context.fact(x).rank))
    let rows = batch == 0 ? x : try context.emit(turn, x)
    let places = try context.places(of: rows, axis: 1)
    let ends = try context.emit(ExpandDims([1]), try context.cast(lengths, to: .int64))
    let last = try context.emit(Sub(), ends, context.constant(.scalar(.int64, 1)))
    let isInside = try context.emit(Less(), places, ends)
    let indices = try context.emit(Select(), isInside, try context.emit(Sub(), last, places), places)
    var op = Gather(axis: 1)
    op.batchDims = 1
    let y = try context.emit(op, rows, indices)
    return [batch == 0 ? y : try context.emit(turn, y)]
  }
}
