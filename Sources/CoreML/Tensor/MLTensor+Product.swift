extension MLTensor {
  /// The product of matrices, `[…, m, k]` and `[…, k, n]`, whose leading axes are broadcast: `[…, m, n]`. A tensor
  /// with one axis is a row on the left and a column on the right, and its axis is gone from the result.
  ///
  /// `Float16` is added up in `Float` and rounded once; integers wrap around.
  public func matmul(_ other: MLTensor) -> MLTensor {
    precondition(kind == other.kind, "matmul: the elements are \(scalarType) and \(other.scalarType); cast one of them")
    precondition(kind != .bool, "matmul() takes numbers, not Bool")
    precondition(rank > 0 && other.rank > 0, "matmul of tensors without axes")
    let a = rank == 1 ? reshaped(to: [1] + shape) : self
    let b = other.rank == 1 ? other.reshaped(to: other.shape + [1]) : other
    let (rows, depth) = (a.shape[a.rank - 2], a.shape[a.rank - 1])
    let columns = b.shape[b.rank - 1]
    precondition(depth == b.shape[b.rank - 2], "matmul: the shapes \(shape) and \(other.shape) do not fit")
    let batch = MLTensor.broadcast(Array(a.shape.dropLast(2)), Array(b.shape.dropLast(2)), "matmul")
    let result = MLTensor(batch + [rows, columns], kind, .kernel(ProductKernel()), [a, b])
    if rank > 1 && other.rank > 1 { return result }
    return result.reshaped(to: batch + (rank > 1 ? [rows] : []) + (other.rank > 1 ? [columns] : []))
  }
}
