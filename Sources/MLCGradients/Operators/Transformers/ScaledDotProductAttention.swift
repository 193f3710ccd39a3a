import MLCCore
import MLCGraph
import MLCOps

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
    let sums = try writer.apply(MatMul(), try writer.apply(Softmax(), scores), try writer.widened(inputs["value"]))
    return [try writer.converted(sums, to: writer.fact(query).dtype)]
  }
}
