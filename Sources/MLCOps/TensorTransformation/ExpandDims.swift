import MLCCore
import MLCGraph

/// `x` with new axes of extent 1 at the positions `axes` of the result: `x: T[*S]` → `y: T[*S']`.
///
/// Throws `expand_dims.axis` outside the rank of the result or when one comes twice.
/// Source: MIL `expand_dims`, ONNX `Unsqueeze`.
package struct ExpandDims: Operator {
  package var axes: [Int] = []

  package static let schema = Schema<ExpandDims>("expand_dims", [.input("x"), .attribute("axes", \.axes)])
  package init() {}
  package init(_ axes: [Int]) { self.axes = axes }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    return [x.reshaped(try expanded(x.shape))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    return [x.reshaped(try expanded(x.shape.map { Dim($0) }).map { $0.constant! })]
  }

  private func expanded(_ shape: [Dim]) throws(Diagnostic) -> [Dim] {
    var result = shape
    for axis in try normalized(axes: axes, rank: shape.count + axes.count, "expand_dims").sorted() {
      result.insert(1, at: axis)
    }
    return result
  }
}
