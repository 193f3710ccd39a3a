extension MLTensor {
  /// Where the elements are equal, as `Bool`. NaN is not, of anything.
  public static func .== (lhs: MLTensor, rhs: MLTensor) -> MLTensor { comparison(.equal, lhs, rhs, ".==") }

  /// Where the elements are equal, compared with one number of the tensor's type.
  public static func .== (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs .== lhs.like(rhs) }

  /// Where the elements are different, as `Bool`. NaN is different from everything.
  public static func .!= (lhs: MLTensor, rhs: MLTensor) -> MLTensor { comparison(.notEqual, lhs, rhs, ".!=") }

  /// Where the elements are different, compared with one number of the tensor's type.
  public static func .!= (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs .!= lhs.like(rhs) }

  /// Where the elements are less, as `Bool`. NaN is not, of anything.
  public static func .< (lhs: MLTensor, rhs: MLTensor) -> MLTensor { comparison(.less, lhs, rhs, ".<") }

  /// Where the elements are less, compared with one number of the tensor's type.
  public static func .< (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs .< lhs.like(rhs) }

  /// Where the elements are less or equal, as `Bool`. NaN is not, of anything.
  public static func .<= (lhs: MLTensor, rhs: MLTensor) -> MLTensor { comparison(.lessOrEqual, lhs, rhs, ".<=") }

  /// Where the elements are less or equal, compared with one number of the tensor's type.
  public static func .<= (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs .<= lhs.like(rhs) }

  /// Where the elements are greater, as `Bool`. NaN is not, of anything.
  public static func .> (lhs: MLTensor, rhs: MLTensor) -> MLTensor { comparison(.greater, lhs, rhs, ".>") }

  /// Where the elements are greater, compared with one number of the tensor's type.
  public static func .> (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs .> lhs.like(rhs) }

  /// Where the elements are greater or equal, as `Bool`. NaN is not, of anything.
  public static func .>= (lhs: MLTensor, rhs: MLTensor) -> MLTensor { comparison(.greaterOrEqual, lhs, rhs, ".>=") }

  /// Where the elements are greater or equal, compared with one number of the tensor's type.
  public static func .>= (lhs: MLTensor, rhs: some MLTensorScalar & Numeric) -> MLTensor { lhs .>= lhs.like(rhs) }

  /// Where both are true. The tensors are of `Bool`.
  public static func .& (lhs: MLTensor, rhs: MLTensor) -> MLTensor { logic(.and, [lhs, rhs], ".&") }

  /// Where one or both are true. The tensors are of `Bool`.
  public static func .| (lhs: MLTensor, rhs: MLTensor) -> MLTensor { logic(.or, [lhs, rhs], ".|") }

  /// Where one of both is true. The tensors are of `Bool`.
  public static func .^ (lhs: MLTensor, rhs: MLTensor) -> MLTensor { logic(.exclusiveOr, [lhs, rhs], ".^") }

  /// Where the tensor, of `Bool`, is false.
  public static prefix func .! (rhs: MLTensor) -> MLTensor { logic(.not, [rhs], ".!") }
}
