import MLCCore
import MLCGraph

/// `x` repeated `reps[k]` times along axis k: `x: T[*S]`, `reps: int[rank]` → `y: T[*S·reps]`.
///
/// Throws `tile.reps` when there is not one non-negative number per axis, `tile.size` beyond memory.
/// Source: MIL `tile`, ONNX `Tile`.
package struct Tile: Operator {
  package static let schema = Schema<Tile>("tile", [.input("x"), .input("reps", rank: 1...1)])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, reps) = (inputs["x"], inputs["reps"])
    guard reps.dtype.isInteger else { throw Diagnostic.dtype("tile", reps.dtype, "reps") }
    if let count = reps.shape[0].constant, count != x.rank { throw wrong("\(count) numbers", x.type) }
    guard let factors = reps.elements, factors.count == x.rank else {
      return [Fact(x.dtype, x.shape.indices.map { inputs.fresh("d\($0)") })]
    }
    for factor in factors where (factor.constant ?? 0) < 0 { throw wrong("a negative number", x.type) }
    let shape = zip(x.shape, factors).map { $0 * $1 }
    return [x.picking({ order(x.type.staticShape ?? [], factors.compactMap { $0.constant }) }, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, reps) = (inputs["x"], inputs["reps"].integers)
    guard reps.count == x.rank, reps.allSatisfy({ $0 >= 0 }) else { throw wrong("\(reps)", x.type) }
    let shape = zip(x.shape, reps).map { extent, factor in
      let (product, overflow) = extent.multipliedReportingOverflow(by: factor)
      return overflow ? Int.max : product
    }
    try checkSize(x.dtype, shape, "tile")
    return [x.picking(order(x.shape, reps), shape)]
  }

  private func order(_ shape: [Int], _ reps: [Int]) -> [Int] {
    let strides = shape.rowMajorStrides
    return IndexMap.indices(
      shape.indices.map { k in (0..<shape[k] * reps[k]).map { $0 % shape[k] * strides[k] } }
    )
  }

  private func wrong(_ what: String, _ type: TensorType) -> Diagnostic {
    Diagnostic("tile.reps", "\(what) for \(type); one non-negative number per axis is needed")
  }
}
