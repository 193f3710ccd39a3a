import MLCCore
import MLCGraph

/// `x` as another element type: `x: T[*S]` → `y: dtype[*S]`.
///
/// To a float type: rounds to nearest even. To an integer type: truncates toward zero, then wraps through 64 bits;
/// beyond 64 bits saturates, NaN is 0. To `bool`: whether not 0 (NaN is true). Strings are not converted
/// (`cast.dtype`). Source: MIL `cast`, ONNX `Cast`.
package struct Cast: Operator {
  package var dtype = DType.float32

  package static let schema = Schema<Cast>("cast", [.input("x"), .attribute("dtype", \.dtype)])
  package init() {}
  package init(_ dtype: DType) { self.dtype = dtype }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard (x.dtype == .string) == (dtype == .string) else {
      throw Diagnostic("cast.dtype", "\(x.dtype.rawValue) does not convert to \(dtype.rawValue)", kind: .unsupported)
    }
    if let value = x.value { return [Fact(value.converted(to: dtype))] }
    guard dtype == .int32 || dtype == .int64 else { return [Fact(x.type.with(dtype))] }
    return [.known(x.type.with(dtype), x.elements)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] { [inputs["x"].converted(to: dtype)] }
}
