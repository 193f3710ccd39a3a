import MLCCore
import MLCGraph
import MLCOps

/// ONNX `TfIdfVectorizer`: how often each n-gram of a pool stands in a row of tokens, its tokens 1 to `max_skip_count`
/// + 1 places apart, times its weight; with the mode `IDF` once at most. Rows `[C]` or `[N, C]` have a known length.
///
/// For every size of n-grams and every distance, windows are compared with the pool, token by token, and counted.
package enum ONNXTfIdfVectorizer: ONNXOperator {
  package static let types = ["TfIdfVectorizer"]
  package static var sinceOpset: Int { 9 }
  package static var note: String { "rows of a known length" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    let rank = context.fact(given).rank
    guard 1...2 ~= rank, let length = context.fact(given).shape[rank - 1].constant, length < 1 << 24 else {
      throw Diagnostic("onnx.tf-idf", "\(context.fact(given).type) are no rows of tokens", kind: .unsupported)
    }
    let pool = try GramPool(node, context.fact(given).dtype)
    let x = rank == 1 ? try context.emit(ExpandDims([0]), given) : given
    var parts: [ValueID] = []
    for size in 1...max(1, pool.sizes.count) where size <= pool.sizes.count && !pool.sizes[size - 1].isEmpty {
      parts.append(try counts(x, length, pool, size, in: &context))
    }
    guard !parts.isEmpty else { throw Diagnostic("onnx.tf-idf", "the pool is empty") }
    var y = try context.concat(parts, axis: 1)
    if pool.mode == "IDF" { y = try context.emit(Minimum(), y, try context.number(1, like: y)) }
    if pool.mode != "TF" { y = try context.emit(Mul(), y, context.constant(pool.weights, "weights")) }
    let zero = try context.scaled(try context.slice(y, axis: 1, from: 0, to: 1), by: 0)
    let all = try context.concat([y, zero], axis: 1)
    y = try context.emit(Gather(axis: 1), all, context.constant(ints: pool.places, "places"))
    return [rank == 1 ? try context.emit(Squeeze([0]), y) : y]
  }

  /// `[N, grams]`, float32: how often each n-gram of this size is found.
  private static func counts(_ x: ValueID, _ length: Int, _ pool: GramPool, _ size: Int, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let grams = pool.sizes[size - 1]
    var total: ValueID?
    if pool.range.contains(size) {
      for distance in 1...(size == 1 ? 1 : pool.skips + 1) {
        let windows = length - (size - 1) * distance
        guard windows > 0 else { break }
        var matches: ValueID?
        for token in 0..<size {
          let part = try context.slice(x, axis: 1, from: token * distance, to: token * distance + windows)
          let column = context.constant(pool.tokens(grams.map { $0 + token }), "tokens")
          let same = try context.emit(Equal(), try context.emit(ExpandDims([2]), part), column)
          matches = try matches.map { (m) throws(Diagnostic) in try context.emit(LogicalAnd(), m, same) } ?? same
        }
        guard let matches else { break }
        let found = try context.emit(ReduceSum(axes: [1]), try context.cast(matches, to: .float32))
        total = try total.map { (t) throws(Diagnostic) in try context.emit(Add(), t, found) } ?? found
      }
    }
    if let total { return total }
    let rows = try context.emit(ExpandDims([0]), try context.extent(of: x, axis: 0))
    let shape = try context.concat([rows, context.constant(ints: [grams.count], "grams")], axis: 0)
    return try context.emit(Fill(), shape, context.constant(.scalar(.float32, 0), "none"))
  }
}

/// The n-grams that are counted.
private struct GramPool {
  let mode: String
  let range: ClosedRange<Int>, skips: Int
  /// By size, from 1 on, where each n-gram begins in the pool.
  let sizes: [[Int]]
  let weights: Tensor
  /// The n-gram of each column of the result; one beyond the last for none.
  let places: [Int]
  private let pool: Tensor

  /// Throws `onnx.tf-idf`.
  init(_ node: ONNXNode, _ dtype: DType) throws(Diagnostic) {
    let (starts, columns) = (try node.ints("ngram_counts") ?? [], try node.ints("ngram_indexes") ?? [])
    mode = try node.string("mode", default: "TF")
    skips = try node.int("max_skip_count", default: 0)
    let (least, most) = (try node.int("min_gram_length", default: 1), try node.int("max_gram_length", default: 1))
    let texts = try node.strings("pool_strings")
    let numbers = try node.ints("pool_int64s") ?? []
    let type = dtype == .int32 ? dtype : .int64
    let pool = texts.map { Tensor([$0.count], strings: $0) } ?? Tensor(type, [numbers.count], numbers)
    self.pool = pool
    guard ["TF", "IDF", "TFIDF"].contains(mode), 0...64 ~= skips, 1 <= least, least <= most, most <= 64,
      starts.count <= 64, pool.dtype == dtype, starts.first ?? 0 == 0,
      zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 }), starts.allSatisfy({ 0...pool.count ~= $0 }),
      columns.allSatisfy({ 0..<1 << 24 ~= $0 }), Set(columns).count == columns.count
    else { throw Diagnostic("onnx.tf-idf", "the pool or the lengths of n-grams are none that exist") }
    range = least...most
    let ends = starts.dropFirst() + [pool.count]
    var sizes: [[Int]] = []
    for (index, (start, end)) in zip(starts, ends).enumerated() {
      guard (end - start).isMultiple(of: index + 1) else {
        throw Diagnostic("onnx.tf-idf", "\(end - start) tokens do not divide into n-grams of \(index + 1)")
      }
      sizes.append(Array(stride(from: start, to: end, by: index + 1)))
    }
    self.sizes = sizes
    let count = sizes.reduce(0) { $0 + $1.count }
    let factors = try node.floats("weights") ?? [Float](repeating: 1, count: count)
    guard factors.count == count, columns.count == count else {
      throw Diagnostic("onnx.tf-idf", "\(factors.count) weights and \(columns.count) indexes for \(count) n-grams")
    }
    weights = Tensor([count], floats: factors)
    var places = [Int](repeating: count, count: (columns.max() ?? -1) + 1)
    for (gram, column) in columns.enumerated() { places[column] = gram }
    self.places = places
  }

  /// Those of the pool at `indices`.
  func tokens(_ indices: [Int]) -> Tensor { pool.picking(indices, [indices.count]) }
}
