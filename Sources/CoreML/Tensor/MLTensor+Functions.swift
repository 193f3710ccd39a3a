// Functions of floats are the nearest `Float` to the exact result or, rarely, the one next to it.
extension MLTensor {
  /// The magnitude of the elements, numbers; that of the least integer of a type is itself.
  public func abs() -> MLTensor { numeric(.abs) }

  /// The arc cosine, in radians from 0 to π; NaN outside of [-1, 1]. The tensor is of floats.
  public func acos() -> MLTensor { unary(.acos) }

  /// The inverse hyperbolic cosine; NaN below 1. The tensor is of floats.
  public func acosh() -> MLTensor { unary(.acosh) }

  /// The arc sine, in radians from -π/2 to π/2; NaN outside of [-1, 1]. The tensor is of floats.
  public func asin() -> MLTensor { unary(.asin) }

  /// The inverse hyperbolic sine. The tensor is of floats.
  public func asinh() -> MLTensor { unary(.asinh) }

  /// The arc tangent, in radians from -π/2 to π/2. The tensor is of floats.
  public func atan() -> MLTensor { unary(.atan) }

  /// The inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond. The tensor is of floats.
  public func atanh() -> MLTensor { unary(.atanh) }

  /// The cosine of angles in radians; NaN of infinite ones. The tensor is of floats.
  public func cos() -> MLTensor { unary(.cos) }

  /// The hyperbolic cosine. The tensor is of floats.
  public func cosh() -> MLTensor { unary(.cosh) }

  /// e to the power of the elements. The tensor is of floats.
  public func exp() -> MLTensor { unary(.exp) }

  /// 2 to the power of the elements. The tensor is of floats.
  public func exp2() -> MLTensor { unary(.exp2) }

  /// The natural logarithm: of 0 negative infinity, below NaN. The tensor is of floats.
  public func log() -> MLTensor { unary(.log) }

  /// One divided by the elements. The tensor is of floats.
  public func reciprocal() -> MLTensor { unary(.reciprocal) }

  /// One divided by the square root. The tensor is of floats.
  public func rsqrt() -> MLTensor { unary(.reciprocalSquareRoot) }

  /// The sine of angles in radians; NaN of infinite ones. The tensor is of floats.
  public func sin() -> MLTensor { unary(.sin) }

  /// The hyperbolic sine. The tensor is of floats.
  public func sinh() -> MLTensor { unary(.sinh) }

  /// The square root; NaN below 0. The tensor is of floats.
  public func squareRoot() -> MLTensor { unary(.squareRoot) }

  /// The tangent of angles in radians; NaN of infinite ones. The tensor is of floats.
  public func tan() -> MLTensor { unary(.tan) }

  /// The hyperbolic tangent. The tensor is of floats.
  public func tanh() -> MLTensor { unary(.tanh) }

  /// The least whole number that is not less. Integers stay as they are.
  public func ceil() -> MLTensor { kind.isFloat ? unary(.ceil) : self }

  /// The greatest whole number that is not greater. Integers stay as they are.
  public func floor() -> MLTensor { kind.isFloat ? unary(.floor) : self }

  /// The nearest whole number, of two the even one. Integers stay as they are.
  public func round() -> MLTensor { kind.isFloat ? unary(.round) : self }

  /// -1, 0 or 1; NaN of NaN. Elements are numbers.
  public func sign() -> MLTensor { numeric(.sign) }

  /// The elements times themselves; integers wrap around.
  public func squared() -> MLTensor { numeric(.square) }

  /// The elements to the power of `exponent`'s. Integers wrap around, and to negative powers are 0 but for 1 and -1.
  public func pow(_ exponent: MLTensor) -> MLTensor { MLTensor.binary(.power, self, exponent, "pow") }

  /// The elements to the power of a number of the tensor's type.
  public func pow(_ exponent: some MLTensorScalar & Numeric) -> MLTensor {
    if ScalarKind.number(exponent) == 2 { return squared() }
    return pow(like(exponent))
  }

  /// The elements, but none below or above the bounds, which take the tensor's type. NaN stays.
  public func clamped(to bounds: ClosedRange<Float>) -> MLTensor {
    clamped(to: bounds.lowerBound...).clamped(to: ...bounds.upperBound)
  }

  /// The elements, but none below the bound, which takes the tensor's type. NaN stays.
  public func clamped(to bounds: PartialRangeFrom<Float>) -> MLTensor {
    MLTensor.binary(.maximum, self, like(bounds.lowerBound), "clamped(to:)")
  }

  /// The elements, but none above the bound, which takes the tensor's type. NaN stays.
  public func clamped(to bounds: PartialRangeThrough<Float>) -> MLTensor {
    MLTensor.binary(.minimum, self, like(bounds.upperBound), "clamped(to:)")
  }
}

/// The smaller of each two elements; NaN where one is.
public func pointwiseMin(_ lhs: MLTensor, _ rhs: MLTensor) -> MLTensor {
  MLTensor.binary(.minimum, lhs, rhs, "pointwiseMin")
}

/// The smaller of each element and a number of the tensor's type; NaN where one is.
public func pointwiseMin(_ lhs: MLTensor, _ rhs: some MLTensorScalar & Numeric) -> MLTensor {
  pointwiseMin(lhs, lhs.like(rhs))
}

/// The smaller of each element and a number of the tensor's type; NaN where one is.
public func pointwiseMin(_ lhs: some MLTensorScalar & Numeric, _ rhs: MLTensor) -> MLTensor {
  pointwiseMin(rhs.like(lhs), rhs)
}

/// The larger of each two elements; NaN where one is.
public func pointwiseMax(_ lhs: MLTensor, _ rhs: MLTensor) -> MLTensor {
  MLTensor.binary(.maximum, lhs, rhs, "pointwiseMax")
}

/// The larger of each element and a number of the tensor's type; NaN where one is.
public func pointwiseMax(_ lhs: MLTensor, _ rhs: some MLTensorScalar & Numeric) -> MLTensor {
  pointwiseMax(lhs, lhs.like(rhs))
}

/// The larger of each element and a number of the tensor's type; NaN where one is.
public func pointwiseMax(_ lhs: some MLTensorScalar & Numeric, _ rhs: MLTensor) -> MLTensor {
  pointwiseMax(rhs.like(lhs), rhs)
}
