import MLCCore
import MLCGraph

/// The elements of a sparse constant looked up in a palette: `indices_mask: uint1[*S]`, `indices_nonzero_data:
/// uint⟨n⟩[N]`, `lut: T[*G, 2ⁿ, V]` → `mask: uint1[*S′]`, `nonzero: T[N·V]`.
///
/// N is the number of ones in the mask; index k belongs to the k-th one in row-major order, and its place decides about
/// the block of G, as in `constexpr_lut_to_dense`. With V > 1 ones and elements are repeated along `vector_axis`, and
/// `nonzero` is in the row-major order of S′. All arguments are constants. Throws `constexpr.operand`,
/// `constexpr.dtype`, `constexpr.mask`, `constexpr.palette`, `constexpr.blocks`, `constexpr_lut_to_sparse.axis`.
/// Source: MIL `constexpr_lut_to_sparse`.
package struct ConstexprLutToSparse: ConstantExpression {
  package var vectorAxis: Int?

  package static let schema = Schema<ConstexprLutToSparse>(
    "constexpr_lut_to_sparse",
    [
      .input("indices_mask"), .input("indices_nonzero_data"), .input("lut"), .attribute("vector_axis", \.vectorAxis),
      .output("mask"), .output("nonzero"),
    ]
  )
  package init() {}
  package init(vectorAxis: Int?) { self.vectorAxis = vectorAxis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireConstants(inputs)
    let (mask, data, lut) = (inputs["indices_mask"], inputs["indices_nonzero_data"], inputs["lut"])
    try require(data, "indices_nonzero_data", .indices)
    try require(lut, "lut", .paletteEntries)
    try requireMask(mask, data)
    let palettes = try palettes(mask.type, data.dtype, lut.type)
    let (count, overflow) = (data.shape[0].constant ?? 0).multipliedReportingOverflow(by: palettes.vector)
    guard !overflow else {
      throw Diagnostic("constexpr.palette", "vectors of \(palettes.vector) elements make the constant too large")
    }
    return [Fact(compressed: .uint1, palettes.shape), Fact(compressed: lut.dtype, [count])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (mask, data, lut) = (inputs["indices_mask"], inputs["indices_nonzero_data"], inputs["lut"])
    let shapes = try resultShapes(inputs)
    let palettes = try palettes(mask.type, data.dtype, lut.type)
    let places = palettes.places(data.scattered(mask.codes, mask.shape).codes)
    let whole = Tensor(.uint1, mask.shape, codes: mask.codes)
    if palettes.vector == 1 {
      return [whole, lut.picking(places.selected(mask.codes), shapes[1])]
    }
    let repeated = repeated(mask.codes, palettes)
    return [Tensor(.uint1, shapes[0], codes: repeated), lut.picking(places.selected(repeated), shapes[1])]
  }

  /// The mask with every element V times along the axis of the vectors.
  private func repeated(_ mask: [UInt8], _ palettes: Palettes) -> [UInt8] {
    let inner = palettes.grid.shape[(palettes.axis + 1)...].reduce(1, *)
    var result = [UInt8](repeating: 0, count: mask.count * palettes.vector)
    for index in mask.indices {
      let start = (index / inner) * inner * palettes.vector + index % inner
      for k in 0..<palettes.vector { result[start + k * inner] = mask[index] }
    }
    return result
  }

  private func palettes(_ mask: TensorType, _ dtype: DType, _ lut: TensorType) throws(Diagnostic) -> Palettes {
    let (shape, table) = (mask.staticShape ?? [], lut.staticShape ?? [])
    return try Palettes(shape, dtype, lut: table, vectorAxis: vectorAxis, Self.name)
  }
}

extension [Int32] {
  /// Those at the places of ones.
  fileprivate func selected(_ mask: [UInt8]) -> [Int32] { zip(self, mask).filter { $1 != 0 }.map { $0.0 } }
}
