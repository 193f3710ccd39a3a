extension MLTensor {
  /// The sum, element by element. Integers wrap around.
  public static func + (lhs: MLTensor, rhs: MLTensor) -> MLTensor { binary(.add, lhs, rhs, "+") }

  /// The same with one number, of the tensor's type.
  public static func + (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs + lhs.like(rhs) }

  /// The same with one number, of the tensor's type.
  public static func + (lhs: some MLTensorScalar & Numeric, rhs: MLTensor) -> MLTensor { rhs.like(lhs) + rhs }

  /// Replaces the tensor by the result of `+`.
  public static func += (lhs: inout MLTensor, rhs: MLTensor) { lhs = lhs + rhs }

  /// The difference, element by element. Integers wrap around.
  public static func - (lhs: MLTensor, rhs: MLTensor) -> MLTensor { binary(.subtract, lhs, rhs, "-") }

  /// The same with one number, of the tensor's type.
  public static func - (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs - lhs.like(rhs) }

  /// The same with one number, of the tensor's type.
  public static func - (lhs: some MLTensorScalar & Numeric, rhs: MLTensor) -> MLTensor { rhs.like(lhs) - rhs }

  /// Replaces the tensor by the result of `-`.
  public static func -= (lhs: inout MLTensor, rhs: MLTensor) { lhs = lhs - rhs }

  /// The product, element by element. Integers wrap around.
  public static func * (lhs: MLTensor, rhs: MLTensor) -> MLTensor { binary(.multiply, lhs, rhs, "*") }

  /// The same with one number, of the tensor's type.
  public static func * (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs * lhs.like(rhs) }

  /// The same with one number, of the tensor's type.
  public static func * (lhs: some MLTensorScalar & Numeric, rhs: MLTensor) -> MLTensor { rhs.like(lhs) * rhs }

  /// Replaces the tensor by the result of `*`.
  public static func *= (lhs: inout MLTensor, rhs: MLTensor) { lhs = lhs * rhs }

  /// The quotient, element by element. Integers round down, toward negative infinity; by 0 they are 0.
  public static func / (lhs: MLTensor, rhs: MLTensor) -> MLTensor { binary(.divide, lhs, rhs, "/") }

  /// The same with one number, of the tensor's type.
  public static func / (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs / lhs.like(rhs) }

  /// The same with one number, of the tensor's type.
  public static func / (lhs: some MLTensorScalar & Numeric, rhs: MLTensor) -> MLTensor { rhs.like(lhs) / rhs }

  /// Replaces the tensor by the result of `/`.
  public static func /= (lhs: inout MLTensor, rhs: MLTensor) { lhs = lhs / rhs }

  /// The remainder, element by element, `x - floor(x / y) * y`: it has the sign of the divisor. Of integers by 0
  /// it is 0.
  public static func % (lhs: MLTensor, rhs: MLTensor) -> MLTensor { binary(.remainder, lhs, rhs, "%") }

  /// The same with one number, of the tensor's type.
  public static func % (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs % lhs.like(rhs) }

  /// The same with one number, of the tensor's type.
  public static func % (lhs: some MLTensorScalar & Numeric, rhs: MLTensor) -> MLTensor { rhs.like(lhs) % rhs }

  /// Replaces the tensor by the result of `%`.
  public static func %= (lhs: inout MLTensor, rhs: MLTensor) { lhs = lhs % rhs }

  /// The elements with the other sign; integers wrap around.
  public static prefix func - (rhs: MLTensor) -> MLTensor { rhs.numeric(.negate) }
}
