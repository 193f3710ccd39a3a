import MLCCore
import MLCGraph

/// The elements of a sparse constant, shifted and scaled: `data_mask: uint1[*S]`, `nonzero_data: Q[N]`, `scale: T[*G]`,
/// `offset: O[*G]?` → `mask: uint1[*S]`, `nonzero: T[N]`.
///
/// N is the number of ones in the mask; element k belongs to the k-th one in row-major order, whose place decides about
/// the block of G. `nonzero = (nonzero_data − offset) · scale`, as in `constexpr_blockwise_shift_scale`; the mask
/// passes through. All arguments are constants. Throws `constexpr.operand`, `constexpr.dtype`, `constexpr.mask`,
/// `constexpr.blocks`. Source: MIL `constexpr_sparse_blockwise_shift_scale`.
package struct ConstexprSparseBlockwiseShiftScale: ConstantExpression {
  package static let schema = Schema<ConstexprSparseBlockwiseShiftScale>(
    "constexpr_sparse_blockwise_shift_scale",
    [
      .input("data_mask"), .input("nonzero_data"), .input("scale"), .input("offset", optional: true), .output("mask"),
      .output("nonzero"),
    ]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireConstants(inputs)
    let (mask, data, scale) = (inputs["data_mask"], inputs["nonzero_data"], inputs["scale"])
    try require(data, "nonzero_data", .quantized)
    try requireMask(mask, data)
    let shape = mask.type.staticShape ?? []
    try ShiftScale.check(shape, scale: scale, offset: inputs[optional: "offset"])
    return [Fact(compressed: .uint1, shape), Fact(compressed: scale.dtype, data.type.staticShape ?? [])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let shapes = try resultShapes(inputs)
    let grid = try BlockGrid(shapes[0], grid: inputs["scale"].shape)
    let values = ShiftScale(scale: inputs["scale"], offset: inputs[optional: "offset"])
    return [inputs["data_mask"], values.sparse(inputs["nonzero_data"], grid, mask: inputs["data_mask"].codes)]
  }
}
