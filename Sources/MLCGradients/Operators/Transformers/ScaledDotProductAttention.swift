import MLCCore
import MLCGraph
import MLCOps

/// A query that may attend to no key gets zeros, where the operator has NaN: what is put in the place of its result
/// must not come back as NaN by the gradients, since NaN · 0 is NaN.
extension ScaledDotProductAttention: Composite {
  package func partsObstacle(_ inputs: Operands<Fact>) -> String? {
    inputs["query"].shape.last?.constant == nil ? "its depth is not known before run time" : nil
  }

  package func parts(_ inputs: Operands<ValueID>, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let query = inputs["query"]
    let depth = writer.fact(query).shape.last?.constant ?? 1
    let scaled = try writer.scaled(try writer.widened(query), by: 1 / Double(depth).squareRoot())
    var scores = try writer.apply(MatMul(transposeY: true), scaled, try writer.widened(inputs["key"]))
    if let mask = inputs[optional: "attn_mask"] {
      let isBool = writer.fact(mask).dtype == .bool
      let hidden = writer.scalar(maskedScore, like: scores)
      scores =
        try isBool ? writer.apply(Select(), mask, scores, hidden) : writer.apply(Add(), scores, writer.widened(mask))
    }
    let weights = try weights(scores, inputs[optional: "attn_mask"], &writer)
    let sums = try writer.apply(MatMul(), weights, try writer.widened(inputs["value"]))
    return [try writer.converted(sums, to: writer.fact(query).dtype)]
  }

  /// The softmax of `scores`, 0 where all keys are hidden.
  private func weights(_ scores: ValueID, _ mask: ValueID?, _ writer: inout GraphWriter) throws(Diagnostic) -> ValueID {
    guard let mask, hidesRows(writer.fact(mask)) else { return try writer.apply(Softmax(), scores) }
    let (never, zero) = (writer.scalar(-.infinity, like: scores), writer.scalar(0, like: scores))
    let largest = try writer.apply(ReduceMax(axes: [-1], keepDims: true), scores)
    let isHidden = try writer.apply(Equal(), largest, never)
    let open = try writer.apply(Select(), isHidden, zero, scores)
    return try writer.apply(Select(), isHidden, zero, try writer.apply(Softmax(), open))
  }

  /// Whether `mask` may hide all keys from a query.
  private func hidesRows(_ mask: Fact) -> Bool {
    if mask.dtype == .bool, maskedScore.isFinite { return false }
    guard let value = mask.value, let keys = value.shape.last, keys > 0 else { return true }
    let scores = value.doubles
    let isSeen: (Double) -> Bool = mask.dtype == .bool ? { $0 != 0 } : { $0 != -.infinity }
    return !stride(from: 0, to: scores.count, by: keys).allSatisfy { scores[$0..<$0 + keys].contains(where: isSeen) }
  }
}
