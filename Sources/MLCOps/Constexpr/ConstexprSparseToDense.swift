import MLCCore
import MLCGraph

/// A sparse constant written out: `nonzero_data: T[N]`, `mask: uint1[*S]` → `y: T[*S]`.
///
/// N is the number of ones in the mask; its k-th one in row-major order is element k, everything else is 0. T is a 4-
/// or 8-bit integer or floating point. All arguments are constants. Throws `constexpr.operand`, `constexpr.dtype`,
/// `constexpr.mask`. Source: MIL `constexpr_sparse_to_dense`.
package struct ConstexprSparseToDense: ConstantExpression {
  package static let schema = Schema<ConstexprSparseToDense>(
    "constexpr_sparse_to_dense",
    [.input("nonzero_data"), .input("mask")]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireConstants(inputs)
    let (data, mask) = (inputs["nonzero_data"], inputs["mask"])
    try require(data, "nonzero_data", .sparse)
    try requireMask(mask, data)
    return [Fact(compressed: data.dtype, mask.type.staticShape ?? [])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let shape = try resultShapes(inputs)[0]
    return [inputs["nonzero_data"].scattered(inputs["mask"].codes, shape)]
  }
}
