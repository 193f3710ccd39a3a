import MLCCore
import MLCGraph

/// `y[b…, o…, i…, n…] = x[b…, o…, indices[b…, i…], n…]`, along `axis`: `x: T[*S]`, `indices: int[*I]` → `y:
/// T[*S[:axis], *I[batchDims:], *S[axis + 1:]]`.
///
/// Negative indices count from the end. The first `batchDims` axes of both go along. Throws `gather.axis`,
/// `gather.index` outside the extent, `gather.batch` when the batch axes do not fit, `gather.dtype`. Source: MIL
/// `gather`, ONNX `Gather`.
package struct Gather: Operator {
  package var axis = 0
  package var batchDims = 0

  package static let schema = Schema<Gather>(
    "gather",
    [.input("x", rank: 1...64), .input("indices"), .attribute("axis", \.axis), .attribute("batch_dims", \.batchDims)]
  )
  package init() {}
  package init(axis: Int) { self.axis = axis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, indices) = (inputs["x"], inputs["indices"])
    guard indices.dtype.isInteger else { throw Diagnostic.dtype("gather", indices.dtype, "indices") }
    let axis = try normalized(axis: axis, rank: x.rank, "gather")
    try checkBatch(x.shape, indices.shape, axis)
    let shape = Array(x.shape[..<axis] + indices.shape[batchDims...] + x.shape[(axis + 1)...])
    if let extent = x.shape[axis].constant, let numbers = indices.value?.integers {
      _ = try checkedIndices(numbers, extent, "gather")
    }
    guard x.elements != nil, let source = x.type.staticShape, let numbers = indices.value else {
      return [Fact(x.dtype, shape)]
    }
    let positions = try order(source, numbers, axis)
    return [x.picking({ positions }, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, indices) = (inputs["x"], inputs["indices"])
    let axis = try normalized(axis: axis, rank: x.rank, "gather")
    try checkBatch(x.shape.map { Dim($0) }, indices.shape.map { Dim($0) }, axis)
    let shape = Array(x.shape[..<axis] + indices.shape[batchDims...] + x.shape[(axis + 1)...])
    try checkSize(x.dtype, shape, "gather")
    return [x.picking(try order(x.shape, indices, axis), shape)]
  }

  private func order(_ shape: [Int], _ indices: Tensor, _ axis: Int) throws(Diagnostic) -> [Int] {
    let chosen = try checkedIndices(indices.integers, shape[axis], "gather")
    let perBatch = indices.shape[batchDims...].reduce(1, *)
    let perBatchRows = shape[batchDims..<axis].reduce(1, *)
    let inner = shape[(axis + 1)...].reduce(1, *)
    var result: [Int] = []
    result.reserveCapacity(shape[..<axis].reduce(1, *) * perBatch * inner)
    for outer in 0..<shape[..<axis].reduce(1, *) {
      let batch = outer / max(1, perBatchRows)
      for index in chosen[batch * perBatch..<(batch + 1) * perBatch] {
        let start = (outer * shape[axis] + index) * inner
        result.append(contentsOf: start..<start + inner)
      }
    }
    return result
  }

  private func checkBatch(_ x: [Dim], _ indices: [Dim], _ axis: Int) throws(Diagnostic) {
    let fits = batchDims >= 0 && batchDims <= axis && batchDims <= indices.count
    guard fits, zip(x, indices).prefix(batchDims).allSatisfy({ $0 == $1 || $0.constant == nil || $1.constant == nil })
    else { throw Diagnostic("gather.batch", "\(batchDims) batch axes do not fit the shapes \(x) and \(indices)") }
  }
}
