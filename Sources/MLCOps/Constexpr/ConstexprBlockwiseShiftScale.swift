import MLCCore
import MLCGraph

/// `y = (data − offset) · scale` with a scale for each block: `data: Q[*S]`, `scale: T[*G]`, `offset: O[*G]?` → `y:
/// T[*S]`.
///
/// G has the rank of S and divides it: block k along an axis holds the elements from `k·S/G` on. Q and O are 4- and
/// 8-bit integers or floating point, T is floating point; the result rounds once. Without `offset` it is 0. All
/// arguments are constants. Throws `constexpr.operand`, `constexpr.dtype`, `constexpr.blocks`. Source: MIL
/// `constexpr_blockwise_shift_scale`, and before iOS 18 `constexpr_affine_dequantize`.
package struct ConstexprBlockwiseShiftScale: ConstantExpression {
  package static let schema = Schema<ConstexprBlockwiseShiftScale>(
    "constexpr_blockwise_shift_scale",
    [.input("data"), .input("scale"), .input("offset", optional: true)]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireConstants(inputs)
    let (data, scale) = (inputs["data"], inputs["scale"])
    try require(data, "data", .quantized)
    let shape = data.type.staticShape ?? []
    try ShiftScale.check(shape, scale: scale, offset: inputs[optional: "offset"])
    return [Fact(compressed: scale.dtype, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let shape = try resultShapes(inputs)[0]
    let grid = try BlockGrid(shape, grid: inputs["scale"].shape)
    return [ShiftScale(scale: inputs["scale"], offset: inputs[optional: "offset"]).dense(inputs["data"], grid)]
  }
}
