import MLCCore
import MLCGraph

/// A constant kept in another floating-point type: `source_val: S[*D]` → `y: output_dtype[*D]`, rounded to nearest
/// even.
///
/// Both types are floating point, and the argument is a constant. Throws `constexpr.operand`, `constexpr.dtype`.
/// Source: MIL `constexpr_cast`, which goes from float16 to float32.
package struct ConstexprCast: ConstantExpression {
  package var outputDType = DType.float32

  package static let schema = Schema<ConstexprCast>(
    "constexpr_cast",
    [.input("source_val"), .attribute("output_dtype", \.outputDType)]
  )
  package init() {}
  package init(_ dtype: DType) { outputDType = dtype }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireConstants(inputs)
    let source = inputs["source_val"]
    try require(source, "source_val", .floats)
    guard outputDType.isFloat else {
      throw Diagnostic("constexpr.dtype", "output_dtype is \(outputDType.rawValue); floating point is needed")
    }
    return [Fact(compressed: outputDType, source.type.staticShape ?? [])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let source = inputs["source_val"]
    guard outputDType == .float32 else { return [source.converted(to: outputDType)] }
    return [Tensor(source.shape, floats: source.floats)]
  }
}
