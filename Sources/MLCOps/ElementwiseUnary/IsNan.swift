import MLCCore
import MLCGraph

/// `y =` whether x is NaN, elementwise: `x: float[*S]` → `y: bool[*S]`. Throws `is_nan.dtype`.
/// Source: mlc extension, ONNX `IsNaN`.
package struct IsNan: Operator {
  package static let schema = Schema<IsNan>(
    "is_nan",
    [.input("x")]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat else { throw Diagnostic.dtype("is_nan", x.dtype) }
    return [Fact(x.type.with(.bool))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] {
    let x = inputs["x"]
    return [Tensor(.bool, x.shape, x.doubles.map { $0.isNaN ? 1 : 0 })]
  }
}
