import MLCCore
import MLCGraph

/// `x` as another element type: `x: T[*S]` → `y: dtype[*S]`.
///
/// To a float type: rounds to nearest even, without saturating; small floats as `FloatFormat` has it. To an integer
/// type: truncates toward zero, then wraps through 64 bits; beyond 64 bits saturates, NaN is 0. To `bool`: whether not
/// 0 (NaN is true). From and to strings as `NumberText` reads and spells numbers: throws `cast.text` for a text that is
/// none. Source: MIL `cast`, ONNX `Cast`.
package struct Cast: Operator {
  package var dtype = DType.float32

  package static let schema = Schema<Cast>("cast", [.input("x"), .attribute("dtype", \.dtype)])
  package init() {}
  package init(_ dtype: DType) { self.dtype = dtype }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    if x.dtype == .string || dtype == .string { return [Fact(x.type.with(dtype))] }
    if let value = x.value { return [Fact(value.converted(to: dtype))] }
    let type = x.type.with(dtype)
    switch dtype {
    case .int32, .int64:
      if let elements = x.elements { return [.known(type, elements)] }
      return [Fact(type, ratios: x.ratios?.map { $0.truncated })]
    case .float32, .float64: return [Fact(type, ratios: x.dtype == .bool ? nil : x.numbers)]
    case .bool:
      let truths = x.elements?.compactMap { $0.isEqual(to: 0).map { Dim($0 ? 0 : 1) } }
      return [.known(type, truths?.count == x.elements?.count ? truths : nil)]
    default: return [Fact(type)]
    }
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    switch (x.dtype, dtype) {
    case (.string, .string): return [x]
    case (.string, _): return [try x.numbers(as: dtype)]
    case (_, .string): return [x.spelled]
    default: return [x.converted(to: dtype)]
    }
  }
}
