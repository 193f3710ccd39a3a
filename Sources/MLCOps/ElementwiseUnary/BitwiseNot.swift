import MLCCore
import MLCGraph

/// `y = ¬x` on each bit: `x: T[*S]` → `y: T[*S]`, T an integer type. Throws `bitwise_not.dtype`.
/// Source: mlc extension, ONNX `BitwiseNot`.
package struct BitwiseNot: Operator {
  package static let schema = Schema<BitwiseNot>("bitwise_not", [.input("x")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isInteger else { throw Diagnostic.dtype("bitwise_not", x.dtype) }
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] {
    let x = inputs["x"]
    return [Tensor(x.dtype, x.shape, x.integers.map { ~$0 })]
  }
}
