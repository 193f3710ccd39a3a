import MLCCore
import MLCGraph
import MLCOps

extension Clip: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    let low = alpha == -.infinity ? x[0] : x[0].max(alpha, dtype)
    return beta == .infinity ? low : low.min(beta, dtype)
  }
}

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

extension Cast: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    if context.program[x].dtype == dtype { return context.setOutput(to: x) }
    let dtype = self.dtype
    let from = context.program[x].dtype
    if dtype == .string { return try context.format(x, to: context.output()) }
    if from == .string { return try context.parse(x, to: context.output()) }
    try context.map("cast", to: context.output()) { (params, axes) throws(Diagnostic) in
      let value = params.load(x, axes)
      guard dtype == .bool, from != .bool else { return .cast(value, dtype) }
      return .compare(.notEqual, value, .number(0, from))
    }
  }
}

extension BitCast: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    if context.program[x].dtype == dtype { return context.setOutput(to: x) }
    let output = context.output()
    var params = KernelParams()
    _ = params.read(x)
    _ = params.write(output)
    let count = context.program[output].shape.reduce(1, *)
    context.append("bit_cast", params, .routine(.bitCast(count: count)))
  }
}

extension IsInf: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let dtype = context.program[x].dtype
    try context.map("is_inf", to: context.output()) { (params, axes) throws(Diagnostic) in
      let value = params.load(x, axes)
      switch (positive, negative) {
      case (true, true): return .unary(.isInf, value)
      case (true, false): return .compare(.equal, value, .number(.infinity, dtype))
      case (false, true): return .compare(.equal, value, .number(-.infinity, dtype))
      case (false, false): return .integer(0, .bool)
      }
    }
  }
}
