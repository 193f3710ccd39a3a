import MLCCore
import MLCGraph
import MLCOps

/// `matmul` with a constant matrix and the sum with a constant row become `linear`.
///
/// ```
/// %p = matmul(x, %w); %y = add(%p, %b)   →   %y = linear(x, %wᵀ, %b)
/// ```
/// The matrix is transposed once, here, unless the product already reads it so; matrices above 64 MiB are left.
package struct FuseMatmulBias: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-6
  package init() {}

  static let sizeLimit = 64 << 20

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is Add, let (product, row) = graph.operands(operation), graph.uses(product) == 1,
      let (matmul, op) = graph.producer(product, as: MatMul.self), let (x, w) = graph.pair(matmul),
      graph.type(product) == graph.type(operation.outputs[0]), graph.type(x).dtype.isFloat,
      let matrix = graph.constant(w), matrix.rank == 2, graph.constant(x) == nil,
      !op.transposeX || graph.type(x).rank == 1
    else { return nil }
    let columns = matrix.shape[op.transposeY ? 0 : 1]
    guard let bias = graph.constant(row), bias.trimmedShape == [columns] || bias.count == 1,
      op.transposeY || matrix.byteCount <= FuseMatmulBias.sizeLimit
    else { return nil }
    let weight = op.transposeY ? w : graph.emitConstant(matrix.transposedMatrix, name: "weight")
    let vector =
      bias.count == columns
      ? bias.reshaped([columns])
      : Tensor(bias.dtype, [columns], [Double](repeating: bias.doubles[0], count: columns))
    let biasID = graph.emitConstant(vector, name: "bias")
    return graph.patch(try graph.emit(Linear(), x, weight, biasID, origin: matmul.origin))
  }
}
