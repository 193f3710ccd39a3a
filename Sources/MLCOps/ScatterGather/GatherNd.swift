import MLCCore
import MLCGraph

/// `y[b…, i…, n…] = x[b…, indices[b…, i…, 0], …, indices[b…, i…, r − 1], n…]`: `x: T[*S]`, `indices: int[*I, r]` → `y:
/// T[*I, *S[batchDims + r:]]`.
///
/// Negative indices count from the end. Throws `gather_nd.shape` when r is unknown or beyond the rank or the batch axes
/// do not fit, `gather_nd.index`. Source: MIL `gather_nd`, ONNX `GatherND`.
package struct GatherNd: Operator {
  package var batchDims = 0

  package static let schema = Schema<GatherNd>(
    "gather_nd",
    [.input("x", rank: 1...64), .input("indices", rank: 1...64), .attribute("batch_dims", \.batchDims)]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, indices) = (inputs["x"], inputs["indices"])
    guard indices.dtype.isInteger else { throw Diagnostic.dtype("gather_nd", indices.dtype, "indices") }
    return [Fact(x.dtype, try shape(x.shape, indices.shape))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, indices) = (inputs["x"], inputs["indices"])
    let shape = try shape(x.shape.map { Dim($0) }, indices.shape.map { Dim($0) }).map { $0.constant! }
    try checkSize(x.dtype, shape, "gather_nd")
    let starts = try slicePositionsND(x.shape, indices, batch: batchDims, "gather_nd")
    let length = x.shape[(batchDims + indices.shape[indices.rank - 1])...].reduce(1, *)
    return [x.picking(starts.flatMap { $0..<$0 + length }, shape)]
  }

  private func shape(_ x: [Dim], _ indices: [Dim]) throws(Diagnostic) -> [Dim] {
    guard let depth = indices[indices.count - 1].constant else {
      let message = "how many numbers an index has is not known before run time: indices of shape \(indices)"
      throw Diagnostic("gather_nd.shape", message, kind: .unsupported)
    }
    guard batchDims >= 0, batchDims < indices.count,
      depth <= x.count - batchDims,
      zip(x, indices).prefix(batchDims).allSatisfy({ $0 == $1 || $0.constant == nil || $1.constant == nil })
    else { throw Diagnostic("gather_nd.shape", "indices of shape \(indices) do not fit a tensor of shape \(x)") }
    return indices.dropLast() + x[(batchDims + depth)...]
  }
}
