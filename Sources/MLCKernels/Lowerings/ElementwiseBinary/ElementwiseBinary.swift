import MLCCore
import MLCGraph
import MLCOps

/// Operators that are one binary function of the kernel vocabulary.
package protocol BinaryLowerable: ElementwiseLowerable {
  static var function: Scalar.Binary { get }
}

extension BinaryLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .binary(Self.function, x[0], x[1]) }
}

extension Add: BinaryLowerable { package static var function: Scalar.Binary { .add } }
extension Sub: BinaryLowerable { package static var function: Scalar.Binary { .sub } }
extension Mul: BinaryLowerable { package static var function: Scalar.Binary { .mul } }
extension RealDiv: BinaryLowerable { package static var function: Scalar.Binary { .div } }
extension Maximum: BinaryLowerable { package static var function: Scalar.Binary { .max } }
extension Minimum: BinaryLowerable { package static var function: Scalar.Binary { .min } }
extension LogicalAnd: BinaryLowerable { package static var function: Scalar.Binary { .logicalAnd } }
extension LogicalOr: BinaryLowerable { package static var function: Scalar.Binary { .logicalOr } }
extension LogicalXor: BinaryLowerable { package static var function: Scalar.Binary { .logicalXor } }
extension BitwiseAnd: BinaryLowerable { package static var function: Scalar.Binary { .bitwiseAnd } }
extension BitwiseOr: BinaryLowerable { package static var function: Scalar.Binary { .bitwiseOr } }
extension BitwiseXor: BinaryLowerable { package static var function: Scalar.Binary { .bitwiseXor } }
extension LeftShift: BinaryLowerable { package static var function: Scalar.Binary { .shiftLeft } }
extension RightShift: BinaryLowerable { package static var function: Scalar.Binary { .shiftRight } }

extension FloorDiv: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    if dtype.isFloat { return .unary(.floor, x[0] / x[1]) }
    // (x − mod(x, y)) / y divides exactly, so truncation does nothing.
    return (x[0] - .binary(.mod, x[0], x[1])) / x[1]
  }
}

extension Mod: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .binary(truncate ? .fmod : .mod, x[0], x[1]) }
}

extension Pow: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let (x, y) = (context.input("x"), context.input("y"))
    let output = context.output()
    let (shape, dtype) = (context.program[output].shape, context.program[output].dtype)
    for operand in [x, y] { context.requireBroadcast(context.program[operand].shape, to: shape) }
    let exponent = context.fact("y").value.flatMap { $0.count == 1 ? $0.doubles[0] : nil }
    let reader = context.program
    try context.map("pow", to: output) { (params, axes) throws(Diagnostic) in
      let base = reader.element(x, &params, axes, in: shape)
      if dtype.isFloat, let exponent, let simple = Pow.simple(base, exponent, dtype) { return simple }
      let power = reader.element(y, &params, axes, in: shape)
      return .binary(.pow, base, reader[y].dtype == dtype ? power : .cast(power, dtype))
    }
  }

  /// Exponents that need no power function.
  private static func simple(_ x: Scalar, _ exponent: Double, _ dtype: DType) -> Scalar? {
    switch exponent {
    case 0.5: .unary(.sqrt, x)
    case 1: x
    case 2: x * x
    case 3: x * x * x
    case -1: .unary(.inverse, x)
    default: nil
    }
  }
}

/// Operators that are one comparison.
package protocol ComparisonLowerable: ElementwiseLowerable {
  static var relation: Scalar.Comparison { get }
}

extension ComparisonLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .compare(Self.relation, x[0], x[1]) }
}

extension Equal: ComparisonLowerable { package static var relation: Scalar.Comparison { .equal } }
extension NotEqual: ComparisonLowerable { package static var relation: Scalar.Comparison { .notEqual } }
extension Less: ComparisonLowerable { package static var relation: Scalar.Comparison { .less } }
extension LessEqual: ComparisonLowerable { package static var relation: Scalar.Comparison { .lessEqual } }
extension Greater: ComparisonLowerable { package static var relation: Scalar.Comparison { .greater } }
extension GreaterEqual: ComparisonLowerable { package static var relation: Scalar.Comparison { .greaterEqual } }
