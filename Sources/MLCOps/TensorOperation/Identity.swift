import MLCCore
import MLCGraph

/// `y = x`: `x: T[*S]` → `y: T[*S]`.
/// Source: MIL `identity`, ONNX `Identity`.
package struct Identity: Operator {
  package static let schema = Schema<Identity>("identity", [.input("x")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) -> [Fact] { [inputs["x"]] }
  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] { [inputs["x"]] }
}
