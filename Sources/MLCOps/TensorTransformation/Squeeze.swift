import MLCCore
import MLCGraph

/// `x` without the axes `axes`, each of extent 1: `x: T[*S]` → `y: T[*S']`. No axes means every axis whose extent is
/// known to be 1.
///
/// Throws `squeeze.axis` outside the rank, `squeeze.extent` where the extent is not 1.
/// Source: MIL `squeeze`, ONNX `Squeeze`.
package struct Squeeze: Operator {
  package var axes: [Int] = []

  package static let schema = Schema<Squeeze>("squeeze", [.input("x"), .attribute("axes", \.axes)])
  package init() {}
  package init(_ axes: [Int]) { self.axes = axes }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    return [x.reshaped(try squeezed(x.shape))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    return [x.reshaped(try squeezed(x.shape.map { Dim($0) }).map { $0.constant! })]
  }

  private func squeezed(_ shape: [Dim]) throws(Diagnostic) -> [Dim] {
    if axes.isEmpty { return shape.filter { $0 != 1 } }
    let removed = try normalized(axes: axes, rank: shape.count, "squeeze")
    for axis in removed {
      if let extent = shape[axis].constant, extent != 1 {
        throw Diagnostic("squeeze.extent", "axis \(axis) has extent \(extent), not 1")
      }
    }
    return shape.indices.filter { !removed.contains($0) }.map { shape[$0] }
  }
}
