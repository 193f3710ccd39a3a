import MLCCore
import MLCGraph
import MLCOps

extension ScaledDotProductAttention: MILLegalizable {
  /// Core ML hides a key altogether; where its score is a number instead, the steps are written out.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard maskedScore != -.infinity, let query = use[0], let mask = use[3], builder.fact(mask).dtype == .bool,
      let depth = builder.fact(query).shape.last?.constant
    else { return nil }
    let scale = use.scalar(1 / Double(depth).squareRoot(), like: query, in: &builder)
    let queries = try use.append(Mul(), query, scale, in: &builder)
    let products = try use.append(MatMul(transposeY: true), queries, use[1], in: &builder)
    let score = use.scalar(maskedScore, like: query, in: &builder)
    let scores = try use.append(Select(), mask, products, score, in: &builder)
    let weights = try use.append(Softmax(axis: -1), scores, in: &builder)
    return [try use.append(MatMul(), weights, use[2], in: &builder, last: true)]
  }
}
extension ScaledDotProductAttention: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.drop("masked_score", unless: maskedScore == -.infinity || context.fact("attn_mask")?.dtype != .bool)
  }
}
