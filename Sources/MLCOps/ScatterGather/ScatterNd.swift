import MLCCore
import MLCGraph

/// `data` with the slices that `indices` names changed by `updates`: `data: T[*S]`, `indices: int[*I, r]`, `updates:
/// T[*I, *S[r:]]` → `y: T[*S]`.
///
/// `mode` is `update`, `add`, `sub`, `mul`, `div`, `max` or `min`. Updates apply in order; negative indices count from
/// the end. Throws `scatter_nd.shape`, `scatter_nd.index`, `scatter_nd.mode`, `scatter_nd.dtype`. Source: MIL
/// `scatter_nd`, ONNX `ScatterND`.
package struct ScatterNd: Operator {
  package var mode = "add"

  package static let schema = Schema<ScatterNd>(
    "scatter_nd",
    [
      .input("data", rank: 1...64), .input("indices", rank: 1...64), .input("updates"), .attribute("mode", \.mode),
    ]
  )
  package init() {}
  package init(mode: ScatterMode) { self.mode = mode.rawValue }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (data, indices, updates) = (inputs["data"], inputs["indices"], inputs["updates"])
    guard indices.dtype.isInteger else { throw Diagnostic.dtype("scatter_nd", indices.dtype, "indices") }
    try checkSameDType(data, updates, "scatter_nd")
    let mode = try ScatterMode.named(mode, "scatter_nd")
    if data.dtype == .string, mode != .update { throw Diagnostic.dtype("scatter_nd", .string, "data") }
    try check(data.shape, indices.shape, updates.shape)
    return [Fact(data.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (data, indices, updates) = (inputs["data"], inputs["indices"], inputs["updates"])
    try check(data.shape.map { Dim($0) }, indices.shape.map { Dim($0) }, updates.shape.map { Dim($0) })
    let starts = try slicePositionsND(data.shape, indices, batch: 0, "scatter_nd")
    let length = data.shape[indices.shape[indices.rank - 1]...].reduce(1, *)
    let mode = try ScatterMode.named(mode, "scatter_nd")
    return [mode.apply(data, updates, at: starts.flatMap { $0..<$0 + length })]
  }

  private func check(_ data: [Dim], _ indices: [Dim], _ updates: [Dim]) throws(Diagnostic) {
    if let depth = indices[indices.count - 1].constant, depth <= data.count {
      let wanted = indices.dropLast() + data[depth...]
      let fits = zip(wanted, updates).allSatisfy { $0 == $1 || $0.constant == nil || $1.constant == nil }
      if fits, wanted.count == updates.count { return }
    }
    throw Diagnostic("scatter_nd.shape", "indices \(indices) and updates \(updates) do not fit data \(data)")
  }
}
