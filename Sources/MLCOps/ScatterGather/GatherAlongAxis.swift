import MLCCore
import MLCGraph

/// `y[…, i, …] = x[…, indices[…, i, …], …]` along `axis`: `x: T[*S]`, `indices: int[*I]` of the same rank → `y: T[*I]`.
///
/// Negative indices count from the end. Throws `gather_along_axis.axis`, `gather_along_axis.shape` when the ranks
/// differ or another axis of `indices` is longer than that of `x`, `gather_along_axis.index`. Source: MIL
/// `gather_along_axis`, ONNX `GatherElements`.
package struct GatherAlongAxis: Operator {
  package var axis = 0

  package static let schema = Schema<GatherAlongAxis>(
    "gather_along_axis",
    [.input("x", rank: 1...64), .input("indices", rank: 1...64), .attribute("axis", \.axis)]
  )
  package init() {}
  package init(axis: Int) { self.axis = axis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, indices) = (inputs["x"], inputs["indices"])
    guard indices.dtype.isInteger else { throw Diagnostic.dtype("gather_along_axis", indices.dtype, "indices") }
    let axis = try normalized(axis: axis, rank: x.rank, "gather_along_axis")
    try checkAlongAxis(x.shape, indices.shape, axis, "gather_along_axis")
    return [Fact(x.dtype, indices.shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, indices) = (inputs["x"], inputs["indices"])
    let axis = try normalized(axis: axis, rank: x.rank, "gather_along_axis")
    try checkAlongAxis(x.shape.map { Dim($0) }, indices.shape.map { Dim($0) }, axis, "gather_along_axis")
    try checkSize(x.dtype, indices.shape, "gather_along_axis")
    return [x.picking(try positionsAlongAxis(x.shape, indices, axis, "gather_along_axis"), indices.shape)]
  }
}

/// Throws `OP.shape` unless `indices` has the rank of `x` and is nowhere longer, `axis` apart.
package func checkAlongAxis(_ x: [Dim], _ indices: [Dim], _ axis: Int, _ op: String) throws(Diagnostic) {
  guard x.count == indices.count else {
    throw Diagnostic(.init("\(op).shape"), "indices have rank \(indices.count), the tensor has rank \(x.count)")
  }
  for k in x.indices where k != axis {
    guard let have = x[k].constant, let want = indices[k].constant, want > have else { continue }
    throw Diagnostic(.init("\(op).shape"), "indices have extent \(want) on axis \(k), the tensor \(have)")
  }
}
