import MLCCore
import MLCGraph

/// Product of bytes by a matrix of int8, with exact sums.
///
/// `x: Q[*B, I]`, `weight: int8[O, I]`, `x_zero_point: Q[]?` → `y: int32[*B, O]`, Q int8 or uint8: `y[b, o] = Σᵢ (x[b,
/// i] − x_zero_point) · weight[o, i]`, wrapping; the zero point is 0 by default. The weight lies as that of `linear`.
/// An extension of MIL. Throws `matmul.dtype`, `matmul.contraction` when the I differ. Source: ONNX `MatMulInteger`.
package struct MatMulInteger: Operator {
  package static let schema = Schema<MatMulInteger>(
    "matmul_integer",
    [
      .input("x", rank: 1...64),
      .input("weight", rank: 2...2),
      .input("x_zero_point", rank: 0...0, optional: true),
    ]
  )

  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    guard [.int8, .uint8].contains(x.dtype), weight.dtype == .int8,
      inputs[optional: "x_zero_point"].map({ $0.dtype == x.dtype }) ?? true
    else {
      throw Diagnostic("matmul.dtype", "the data is \(x.type), the weight \(weight.type), not bytes and int8")
    }
    guard fits(x.shape[x.rank - 1], weight.shape[1]) else {
      throw Diagnostic("matmul.contraction", "the data is \(x.type), but the weight is \(weight.type)")
    }
    return [Fact(.int32, x.shape.dropLast() + [weight.shape[0]])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, weight) = (inputs["x"].integers, inputs["weight"].integers)
    let zero = inputs[optional: "x_zero_point"]?.integers[0] ?? 0
    let shape = try resultShapes(inputs)[0]
    let (columns, depth) = (inputs["weight"].shape[0], inputs["weight"].shape[1])
    var y = [Int](repeating: 0, count: shape.reduce(1, *))
    for index in y.indices {
      let (row, column) = (index / columns, index % columns)
      for k in 0..<depth { y[index] += (x[row * depth + k] - zero) * weight[column * depth + k] }
    }
    return [Tensor(.int32, shape, y)]
  }
}
