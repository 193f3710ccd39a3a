import MLCCore
import MLCGraph

/// Cross-correlation of bytes with exact sums.
///
/// `x: Q[N, C, *D]`, `weight: int8[M, C/groups, *K]`, `x_zero_point: Q[]?` → `y: int32[N, M, *D′]`, Q int8 or uint8:
/// `y[n, m, o] = Σ (x[n, g·C/groups + c, o·stride + k·dilation − low] − x_zero_point) · weight[m, c, k]` over c and k,
/// with g = ⌊m·groups / M⌋, wrapping; outside the data x is the zero point, which is 0 by default. `D′` and `pad_type`:
/// `SpatialWindow`. An extension of MIL. Throws `conv.dtype`, and what `conv` throws of ranks, groups and
/// channels. Source: ONNX `ConvInteger`, whose weight may have a zero point too.
package struct ConvInteger: Operator {
  package var strides: [Int] = [], dilations: [Int] = [], pad: [Int] = []
  package var padType = "custom"
  package var groups = 1

  package static let schema = Schema<ConvInteger>(
    "conv_integer",
    [
      .input("x", rank: 3...5),
      .input("weight", rank: 3...5),
      .input("x_zero_point", rank: 0...0, optional: true),
      .attribute("strides", \.strides),
      .attribute("dilations", \.dilations),
      .attribute("pad_type", \.padType),
      .attribute("pad", \.pad),
      .attribute("groups", \.groups),
    ]
  )

  package init() {}

  /// The convolution with the windows of `op`.
  package init(_ op: Conv) {
    (strides, dilations, pad) = (op.strides, op.dilations, op.pad)
    (padType, groups) = (op.padType, op.groups)
  }

  /// The convolution of floats with the same windows.
  package var real: Conv {
    var op = Conv()
    (op.strides, op.dilations, op.pad) = (strides, dilations, pad)
    (op.padType, op.groups) = (padType, groups)
    return op
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    guard [.int8, .uint8].contains(x.dtype), weight.dtype == .int8 else {
      throw Diagnostic("conv.dtype", "the data is \(x.type), the weight \(weight.type), not bytes and int8")
    }
    if let zero = inputs[optional: "x_zero_point"], zero.dtype != x.dtype {
      throw Diagnostic("conv.dtype", "the zero point is \(zero.type), the data \(x.type)")
    }
    let shape = try real.resultShape(x, weight)
    return [Fact(.int32, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, weight) = (inputs["x"], inputs["weight"])
    let zero = inputs[optional: "x_zero_point"]?.integers[0] ?? 0
    // Doubles hold every sum: 2⁵³ is more than 2³⁷ products of bytes.
    let data = Tensor(.float64, x.shape, x.integers.map { Double($0 - zero) })
    let sums = try real.evaluate(Operands(Conv.portNames, [[data], [weight.converted(to: .float64)], []]))
    return [Tensor(.int32, sums[0].shape, sums[0].doubles.map { Int($0) })]
  }
}
