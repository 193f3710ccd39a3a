import MLCCore
import MLCGraph

/// `y = ¬x`, elementwise: `x: bool[*S]` → `y: bool[*S]`. Throws `logical_not.dtype`.
/// Source: MIL `logical_not`, ONNX `Not`.
package struct LogicalNot: Operator {
  package static let schema = Schema<LogicalNot>("logical_not", [.input("x")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype == .bool else { throw Diagnostic.dtype("logical_not", x.dtype) }
    return [.known(x.type, x.elements.map { $0.map { 1 - $0 } })]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] {
    let x = inputs["x"]
    return [Tensor(.bool, x.shape, x.integers.map { 1 - $0 })]
  }
}
