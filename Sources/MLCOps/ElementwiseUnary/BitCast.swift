import MLCCore
import MLCGraph

/// The bits of each element as those of an element of type `dtype`: `x: T[*S]` → `y: dtype[*S]`.
///
/// NaNs keep their payloads. Both types are equally wide, whole bytes, and no strings; `bool` becomes a byte of 0 or 1,
/// but nothing else becomes `bool`, since most bytes are no truth value. Throws `bit_cast.dtype` for other types.
/// Source: mlc extension, ONNX `BitCast`.
package struct BitCast: Operator {
  package var dtype = DType.int32

  package static let schema = Schema<BitCast>("bit_cast", [.input("x"), .attribute("dtype", \.dtype)])
  package init() {}
  package init(_ dtype: DType) { self.dtype = dtype }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    let isSound = dtype.bitWidth == x.dtype.bitWidth && dtype.bitWidth >= 8 && (dtype != .bool || x.dtype == .bool)
    guard isSound else {
      throw Diagnostic("bit_cast.dtype", "the bits of \(x.dtype.rawValue) are not those of \(dtype.rawValue)")
    }
    if let value = x.value { return [Fact(value.reinterpreted(as: dtype))] }
    return [Fact(x.type.with(dtype))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] { [inputs["x"].reinterpreted(as: dtype)] }
}
