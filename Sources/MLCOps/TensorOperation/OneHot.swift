import MLCCore
import MLCGraph

/// `y[…, j, …] = onValue` where j equals the index, else `offValue`: `indices: int[*S]`, `depth: int[]`, `on_value,
/// off_value: T[]` → `y: T[*S']`, S' = S with an axis of extent `depth` at `axis`.
///
/// Indices may count from the end; those outside `-depth..<depth` give a row of `offValue`. Float indices truncate.
/// Throws `one_hot.axis`, `one_hot.depth` when negative, `one_hot.dtype`, `one_hot.size`.
/// Source: MIL `one_hot` (there `depth` is constant), ONNX `OneHot`.
package struct OneHot: Operator {
  package var axis = -1

  package static let schema = Schema<OneHot>(
    "one_hot",
    [
      .input("indices"), .input("depth", rank: 0...0), .input("on_value", rank: 0...0),
      .input("off_value", rank: 0...0),
      .attribute("axis", \.axis),
    ]
  )
  package init() {}
  package init(axis: Int) { self.axis = axis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (indices, depth, on) = (inputs["indices"], inputs["depth"], inputs["on_value"])
    for (name, fact) in [("indices", indices), ("depth", depth)] where !fact.dtype.isInteger && !fact.dtype.isFloat {
      throw Diagnostic.dtype("one_hot", fact.dtype, name)
    }
    try checkSameDType(on, inputs["off_value"], "one_hot")
    let extent = depth.elements?[0] ?? depth.value.map { Dim($0.integers[0]) } ?? inputs.fresh("depth")
    if let n = extent.constant, n < 0 { throw Diagnostic("one_hot.depth", "a depth of \(n) is negative") }
    var shape = indices.shape
    shape.insert(extent, at: try normalized(axis: axis, rank: indices.rank + 1, "one_hot"))
    return [Fact(on.dtype, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (indices, depth) = (inputs["indices"], inputs["depth"].integers[0])
    guard depth >= 0 else { throw Diagnostic("one_hot.depth", "a depth of \(depth) is negative") }
    let axis = try normalized(axis: axis, rank: indices.rank + 1, "one_hot")
    var shape = indices.shape
    shape.insert(depth, at: axis)
    try checkSize(inputs["on_value"].dtype, shape, "one_hot")
    let hot = indices.integers
    let inner = indices.shape[axis...].reduce(1, *)
    let values = Tensor.flat([inputs["off_value"], inputs["on_value"]])
    var chosen = [Int](repeating: 0, count: shape.checkedProduct!)
    for (position, index) in hot.enumerated() where index >= -depth && index < depth {
      let row = index < 0 ? index + depth : index
      chosen[(position / inner * depth + row) * inner + position % inner] = 1
    }
    return [values.picking(chosen, shape)]
  }
}
