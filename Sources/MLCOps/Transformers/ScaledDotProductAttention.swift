import MLCCore
import MLCGraph

/// `softmax(query·keyᵀ / √E + attn_mask)·value`, softmax over the keys.
///
/// `query: T[*B, L, E]`, `key: T[*B, S, E]`, `value: T[*B, S, F]`, `attn_mask: (T | bool)[*M, L, S]?` → `y: T[*B, L,
/// F]`, T floating point, rank at least 3; the B broadcast among each other, the mask to `[*B, L, S]`. Where a mask of
/// bool is false, the score is `maskedScore` (mlc extension), −inf unless given: a row with every key masked is NaN
/// then, and the mean of the values for a finite one. No keys give zeros. Throws `scaled_dot_product_attention.shape`,
/// `.mask`, `.dtype`, `broadcast.shape`. Source: MIL `scaled_dot_product_attention`.
package struct ScaledDotProductAttention: Operator {
  package var maskedScore = -Double.infinity

  package static let schema = Schema<ScaledDotProductAttention>(
    "scaled_dot_product_attention",
    [
      .input("query", rank: 3...64),
      .input("key", rank: 3...64),
      .input("value", rank: 3...64),
      .input("attn_mask", rank: 2...64, optional: true),
      .attribute("masked_score", \.maskedScore),
    ]
  )

  package init() {}
  package init(maskedScore: Double) { self.maskedScore = maskedScore }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (query, key, value) = (inputs["query"], inputs["key"], inputs["value"])
    try requireFloat(query, "query")
    try requireSameType(key, "key", as: query)
    try requireSameType(value, "value", as: query)
    let (q, k, v) = (Array(query.shape.suffix(2)), Array(key.shape.suffix(2)), Array(value.shape.suffix(2)))
    guard fits(q[1], k[1]), fits(k[0], v[0]) else {
      let message = "query \(query.type), key \(key.type) and value \(value.type) do not fit each other"
      throw Diagnostic("scaled_dot_product_attention.shape", message)
    }
    let batch = try Broadcast.shape([query, key, value].map { Array($0.shape.dropLast(2)) })
    if let mask = inputs[optional: "attn_mask"] { try check(mask, query, batch + [q[0], k[0]]) }
    return [Fact(query.dtype, batch + [q[0], v[1]])]
  }

  private func check(_ mask: Fact, _ query: Fact, _ scores: [Dim]) throws(Diagnostic) {
    if mask.dtype != .bool { try requireSameType(mask, "attn_mask", as: query) }
    let whole = try Broadcast.shape([mask.shape, scores])
    guard whole.count == scores.count, zip(whole, scores).allSatisfy(fits) else {
      throw Diagnostic("scaled_dot_product_attention.mask", "the mask \(mask.type) does not fit scores of \(scores)")
    }
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (query, key, value) = (inputs["query"], inputs["key"], inputs["value"])
    let shape = try resultShapes(inputs)[0]
    let batch = Array(shape.dropLast(2))
    let (rows, depth) = (query.shape[query.rank - 2], query.shape[query.rank - 1])
    let (keys, width) = (key.shape[key.rank - 2], shape[shape.count - 1])
    try checkSize(.float64, batch + [rows, keys], "scaled_dot_product_attention")
    let starts = [query, key, value].map { Broadcast.indices(from: Array($0.shape.dropLast(2)), to: batch) }
    let (q, k, v) = (query.doubles, key.doubles, value.doubles)
    let mask = inputs[optional: "attn_mask"].map {
      (isBool: $0.dtype == .bool, $0.doubles, Broadcast.indices(from: $0.shape, to: batch + [rows, keys]))
    }
    var y: [Double] = []
    for index in starts[0].indices {
      let left = slice(q, starts[0][index], rows * depth)
      let right = slice(k, starts[1][index], keys * depth)
      var scores = Contraction.transposed(left, right, rows: rows, columns: keys, depth: depth)
      for i in scores.indices {
        scores[i] /= Double(depth).squareRoot()
        guard let (isBool, elements, places) = mask else { continue }
        let element = elements[places[index * rows * keys + i]]
        scores[i] = !isBool ? scores[i] + element : element == 0 ? maskedScore : scores[i]
      }
      scores.withUnsafeMutableBufferPointer { scores in
        for row in 0..<(keys == 0 ? 0 : rows) {
          Softmax.normalize(UnsafeMutableBufferPointer(rebasing: scores[row * keys..<(row + 1) * keys]))
        }
      }
      let values = slice(v, starts[2][index], keys * width)
      let columns = (0..<width * keys).map { values[$0 % keys * width + $0 / keys] }
      y += Contraction.transposed(scores, columns, rows: rows, columns: width, depth: keys)
    }
    return [Tensor(query.dtype, shape, y)]
  }

  private func slice(_ values: [Double], _ index: Int, _ count: Int) -> [Double] {
    Array(values[index * count..<(index + 1) * count])
  }
}
