import MLCCore
import MLCGraph
import MLCOps

/// Operators that are one unary function of the kernel vocabulary.
package protocol UnaryLowerable: ElementwiseLowerable {
  static var function: Scalar.Unary { get }
}

extension UnaryLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .unary(Self.function, x[0]) }
}

extension Abs: UnaryLowerable { package static var function: Scalar.Unary { .abs } }
extension Acos: UnaryLowerable { package static var function: Scalar.Unary { .acos } }
extension Acosh: UnaryLowerable { package static var function: Scalar.Unary { .acosh } }
extension Asin: UnaryLowerable { package static var function: Scalar.Unary { .asin } }
extension Asinh: UnaryLowerable { package static var function: Scalar.Unary { .asinh } }
extension Atan: UnaryLowerable { package static var function: Scalar.Unary { .atan } }
extension Atanh: UnaryLowerable { package static var function: Scalar.Unary { .atanh } }
extension BitwiseNot: UnaryLowerable { package static var function: Scalar.Unary { .bitwiseNot } }
extension Ceil: UnaryLowerable { package static var function: Scalar.Unary { .ceil } }
extension Cos: UnaryLowerable { package static var function: Scalar.Unary { .cos } }
extension Cosh: UnaryLowerable { package static var function: Scalar.Unary { .cosh } }
extension Erf: UnaryLowerable { package static var function: Scalar.Unary { .erf } }
extension Exp: UnaryLowerable { package static var function: Scalar.Unary { .exp } }
extension Exp2: UnaryLowerable { package static var function: Scalar.Unary { .exp2 } }
extension Floor: UnaryLowerable { package static var function: Scalar.Unary { .floor } }
extension LogicalNot: UnaryLowerable { package static var function: Scalar.Unary { .logicalNot } }
extension Neg: UnaryLowerable { package static var function: Scalar.Unary { .neg } }
extension Round: UnaryLowerable { package static var function: Scalar.Unary { .round } }
extension Sigmoid: UnaryLowerable { package static var function: Scalar.Unary { .sigmoid } }
extension Sign: UnaryLowerable { package static var function: Scalar.Unary { .sign } }
extension Sin: UnaryLowerable { package static var function: Scalar.Unary { .sin } }
extension Sinh: UnaryLowerable { package static var function: Scalar.Unary { .sinh } }
extension Sqrt: UnaryLowerable { package static var function: Scalar.Unary { .sqrt } }
extension Tan: UnaryLowerable { package static var function: Scalar.Unary { .tan } }
extension Tanh: UnaryLowerable { package static var function: Scalar.Unary { .tanh } }

/// Functions that MIL offsets by ε before they apply.
extension Inverse: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .unary(.inverse, x[0].plus(epsilon, dtype)) }
}
extension Log: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .unary(.log, x[0].plus(epsilon, dtype)) }
}
extension Rsqrt: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .unary(.rsqrt, x[0].plus(epsilon, dtype)) }
}

extension Square: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { x[0] * x[0] }
}

extension IsNan: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .unary(.isNaN, x[0]) }
}

extension Identity: Lowerable {
  package func lower(in context: inout LoweringContext) { context.setOutput(to: context.input("x")) }
}

extension Cast: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    if context.program[x].dtype == dtype { return context.setOutput(to: x) }
    let dtype = self.dtype
    let from = context.program[x].dtype
    try context.map("cast", to: context.output()) { (params, axes) throws(Diagnostic) in
      let value = params.load(x, axes)
      guard dtype == .bool, from != .bool else { return .cast(value, dtype) }
      return .compare(.notEqual, value, .number(0, from))
    }
  }
}

extension Scalar {
  /// `value` as a literal of `dtype`.
  package static func number(_ value: Double, _ dtype: DType) -> Scalar {
    dtype.isFloat ? .constant(value, dtype.widened) : .integer(Tensor.wrapping(value), dtype)
  }
  /// This plus a literal; itself for 0.
  func plus(_ value: Double, _ dtype: DType) -> Scalar { value == 0 ? self : self + .number(value, dtype) }
  func max(_ value: Double, _ dtype: DType) -> Scalar { .binary(.max, self, .number(value, dtype)) }
  func min(_ value: Double, _ dtype: DType) -> Scalar { .binary(.min, self, .number(value, dtype)) }
}
