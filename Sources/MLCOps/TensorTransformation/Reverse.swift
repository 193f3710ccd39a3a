import MLCCore
import MLCGraph

/// `x` with the order along `axes` turned round: `x: T[*S]` → `y: T[*S]`. No axes means all of them. Throws
/// `reverse.axis`. Source: MIL `reverse`.
package struct Reverse: Operator {
  package var axes: [Int] = []

  package static let schema = Schema<Reverse>("reverse", [.input("x"), .attribute("axes", \.axes)])
  package init() {}
  package init(_ axes: [Int]) { self.axes = axes }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    let turned = try turnedAxes(x.rank)
    return [x.picking({ order(x.type.staticShape ?? [], turned) }, x.shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    return [x.picking(order(x.shape, try turnedAxes(x.rank)), x.shape)]
  }

  private func turnedAxes(_ rank: Int) throws(Diagnostic) -> [Int] {
    axes.isEmpty ? Array(0..<rank) : try normalized(axes: axes, rank: rank, "reverse")
  }

  private func order(_ shape: [Int], _ turned: [Int]) -> [Int] {
    let strides = shape.rowMajorStrides
    return IndexMap.indices(
      shape.indices.map { k in
        (0..<shape[k]).map { (turned.contains(k) ? shape[k] - 1 - $0 : $0) * strides[k] }
      }
    )
  }
}
