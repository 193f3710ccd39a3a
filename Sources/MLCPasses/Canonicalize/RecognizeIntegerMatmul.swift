import MLCCore
import MLCGraph
import MLCOps

/// `linear` and `matmul` of bytes by a quantised weight become `matmul_integer`, whose sums are scaled.
///
/// matmul((q − z) · s, w · t) is matmul_integer(q, wᵀ, z) · (s · t), where q are bytes, w is a constant matrix of int8,
/// and t one number or one for each column; a bias of `linear` is added. Sums are exact where they were rounded, or
/// taken in int32. The zero point may come as the model runs.
package struct RecognizeIntegerMatmul: Rewrite {
  package static let phase = Phase.canonicalize
  package static let tolerance = 1e-5
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    var isTransposed = true
    switch operation.op {
    case let op as MatMul where !op.transposeX: isTransposed = op.transposeY
    case is Linear: break
    default: return nil
    }
    guard let input = operation.inputs[0].first, let factor = operation.inputs[1].first,
      let x = DequantizedOperand(input, graph), graph.type(factor).rank == 2, graph.type(input).rank > 0,
      let weight = IntegerWeight(factor, channelAxis: isTransposed ? 0 : 1, graph),
      weight.numbers.shape[isTransposed ? 1 : 0].isMultiple(of: 4)
    else { return nil }
    let dtype = graph.type(input).dtype
    let numbers = isTransposed ? weight.numbers : weight.numbers.transposedMatrix
    let zero = x.zeroPoint(&graph)
    var y = try graph.emit(MatMulInteger(), x.numbers, graph.emitConstant(numbers, name: "weight"), zero)
    if dtype.isInteger { return graph.patch(y) }
    y = try graph.emit(Cast(dtype), y)
    let scales = weight.scales.map { $0 * x.scale }
    if scales != [1] {
      y = try graph.emit(Mul(), y, graph.emitConstant(Tensor(dtype, [scales.count], scales), name: "scale"))
    }
    if let bias = operation.argument("bias") { y = try graph.emit(Add(), y, bias) }
    return graph.patch(y)
  }
}
