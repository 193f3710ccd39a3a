import MLCCore
import MLCGraph

/// `y =` whether x is +∞ (unless not `positive`) or −∞ (unless not `negative`), elementwise: `x: float[*S]` → `y:
/// bool[*S]`. Throws `is_inf.dtype`. Source: mlc extension, ONNX `IsInf`.
package struct IsInf: Operator {
  package var positive = true, negative = true

  package static let schema = Schema<IsInf>(
    "is_inf",
    [.input("x"), .attribute("positive", \.positive), .attribute("negative", \.negative)]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat else { throw Diagnostic.dtype("is_inf", x.dtype) }
    return [Fact(x.type.with(.bool))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] {
    let x = inputs["x"]
    return [Tensor(.bool, x.shape, x.doubles.map { $0.isInfinite && ($0 > 0 ? positive : negative) ? 1 : 0 })]
  }
}
