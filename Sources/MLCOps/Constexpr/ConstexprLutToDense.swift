import MLCCore
import MLCGraph

/// Elements looked up in a palette: `indices: uint⟨n⟩[*S]`, `lut: T[*G, 2ⁿ, V]` → `y: T[*S′]`.
///
/// `y[i] = lut[⌊i·G/S⌋, indices[i]]`; G has the rank of S and divides it. With V > 1 each index stands for V elements
/// that follow each other along `vector_axis`, whose extent in S′ is V times that in S. n is 1, 2, 3, 4, 6 or 8, T
/// floating point, int8 or uint8. All arguments are constants. Throws `constexpr.operand`, `constexpr.dtype`,
/// `constexpr.palette`, `constexpr.blocks`, `constexpr_lut_to_dense.axis`. Source: MIL `constexpr_lut_to_dense`.
package struct ConstexprLutToDense: ConstantExpression {
  package var vectorAxis: Int?

  package static let schema = Schema<ConstexprLutToDense>(
    "constexpr_lut_to_dense",
    [.input("indices"), .input("lut"), .attribute("vector_axis", \.vectorAxis)]
  )
  package init() {}
  package init(vectorAxis: Int?) { self.vectorAxis = vectorAxis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireConstants(inputs)
    let (indices, lut) = (inputs["indices"], inputs["lut"])
    try require(indices, "indices", .indices)
    try require(lut, "lut", .paletteEntries)
    return [Fact(compressed: lut.dtype, try palettes(indices.type, lut.type).shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (indices, lut) = (inputs["indices"], inputs["lut"])
    let shape = try resultShapes(inputs)[0]
    return [lut.picking(try palettes(indices.type, lut.type).places(indices.codes), shape)]
  }

  private func palettes(_ indices: TensorType, _ lut: TensorType) throws(Diagnostic) -> Palettes {
    let (shape, table) = (indices.staticShape ?? [], lut.staticShape ?? [])
    return try Palettes(shape, indices.dtype, lut: table, vectorAxis: vectorAxis, Self.name)
  }
}
