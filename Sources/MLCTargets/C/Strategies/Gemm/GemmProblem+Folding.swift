import MLCCore
import MLCKernels

extension GemmProblem {
  /// The same matmul with every batch axis folded into the rows that can be: the right operand does not depend on it,
  /// and neighbours along it are all rows apart in the left operand and in the output.
  func folded() -> GemmProblem {
    for axis in matmul.batch where canFold(axis) { return folding(axis).folded() }
    return self
  }

  private func canFold(_ axis: Axis) -> Bool {
    guard rhs.stride(axis) == 0 else { return false }
    let m = matmul.m
    if m.extent == 1 || axis.extent == 1 { return true }
    return [lhs, output].allSatisfy { $0.stride(axis) == $0.stride(m) * m.extent }
  }

  /// Row `r` of the result is row `r mod M` of batch position `⌊r / M⌋`.
  private func folding(_ axis: Axis) -> GemmProblem {
    var result = self
    let m = matmul.m
    let id = 1 + ((matmul.batch + [m, matmul.n, matmul.k]).map(\.id).max() ?? 0)
    let rows = Axis(id, axis.extent * m.extent)
    let rowStride = { (access: LinearAccess) in access.stride(m.extent == 1 ? axis : m) }
    result.lhs = lhs.replacing([axis, m], by: rows, stride: rowStride(lhs))
    result.rhs = rhs.replacing([axis, m], by: rows, stride: 0)
    result.output = output.replacing([axis, m], by: rows, stride: rowStride(output))
    let positions = [
      axis.id: Index.axis(id).dividedFloor(by: m.extent),
      m.id: m.extent == 1 ? .constant(0) : axis.extent == 1 ? .axis(id) : Index.axis(id).modulo(m.extent),
    ]
    result.matmul.m = rows
    result.matmul.batch.removeAll { $0.id == axis.id }
    result.matmul.output.index = matmul.output.index.map { $0.substituting(positions) }
    result.matmul.epilogue = matmul.epilogue.substituting(positions)
    return result
  }
}
