import MLCCore
import MLCGraph

/// `data` with `data[…, indices[…, i, …], …]` changed by `updates[…, i, …]` along `axis`: `data: T[*S]`, `indices:
/// int[*I]`, `updates: T[*I]` of the same rank → `y: T[*S]`.
///
/// `mode` is `update`, `add`, `sub`, `mul`, `div`, `max` or `min`. Updates apply in order; negative indices count from
/// the end. Throws `scatter_along_axis.shape`, `scatter_along_axis.index`, `scatter_along_axis.mode`,
/// `scatter_along_axis.dtype`. Source: MIL `scatter_along_axis`, ONNX `ScatterElements`.
package struct ScatterAlongAxis: Operator {
  package var axis = 0
  package var mode = "add"

  package static let schema = Schema<ScatterAlongAxis>(
    "scatter_along_axis",
    [
      .input("data", rank: 1...64), .input("indices", rank: 1...64), .input("updates", rank: 1...64),
      .attribute("axis", \.axis), .attribute("mode", \.mode),
    ]
  )
  package init() {}
  package init(axis: Int, mode: ScatterMode) { (self.axis, self.mode) = (axis, mode.rawValue) }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (data, indices, updates) = (inputs["data"], inputs["indices"], inputs["updates"])
    guard indices.dtype.isInteger else { throw Diagnostic.dtype("scatter_along_axis", indices.dtype, "indices") }
    try checkSameDType(data, updates, "scatter_along_axis")
    let mode = try ScatterMode.named(mode, "scatter_along_axis")
    if data.dtype == .string, mode != .update { throw Diagnostic.dtype("scatter_along_axis", .string, "data") }
    let axis = try normalized(axis: axis, rank: data.rank, "scatter_along_axis")
    try checkAlongAxis(data.shape, indices.shape, axis, "scatter_along_axis")
    let fits = zip(indices.shape, updates.shape).allSatisfy { $0 == $1 || $0.constant == nil || $1.constant == nil }
    guard fits, indices.rank == updates.rank else { throw mismatch(indices.type, updates.type) }
    return [Fact(data.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (data, indices, updates) = (inputs["data"], inputs["indices"], inputs["updates"])
    let axis = try normalized(axis: axis, rank: data.rank, "scatter_along_axis")
    try checkAlongAxis(data.shape.map { Dim($0) }, indices.shape.map { Dim($0) }, axis, "scatter_along_axis")
    guard indices.shape == updates.shape else { throw mismatch(indices.type, updates.type) }
    let positions = try positionsAlongAxis(data.shape, indices, axis, "scatter_along_axis")
    return [try ScatterMode.named(mode, "scatter_along_axis").apply(data, updates, at: positions)]
  }

  private func mismatch(_ indices: TensorType, _ updates: TensorType) -> Diagnostic {
    Diagnostic("scatter_along_axis.shape", "indices are \(indices), updates \(updates); their shapes differ")
  }
}
