extension MLTensor {
  static func binary(
    _ operation: ElementwiseOperation.Binary,
    _ lhs: MLTensor,
    _ rhs: MLTensor,
    _ name: String
  ) -> MLTensor {
    let (a, b, shape) = matched(lhs, rhs, name)
    precondition(a.kind != .bool, "\(name): the elements are Bool; cast them to numbers")
    return MLTensor(shape, a.kind, .elementwise(.binary(operation)), [a, b])
  }

  static func comparison(
    _ operation: ElementwiseOperation.Comparison,
    _ lhs: MLTensor,
    _ rhs: MLTensor,
    _ name: String
  ) -> MLTensor {
    let (a, b, shape) = matched(lhs, rhs, name)
    return MLTensor(shape, .bool, .elementwise(.comparison(operation)), [a, b])
  }

  static func logic(_ operation: ElementwiseOperation.Logic, _ operands: [MLTensor], _ name: String) -> MLTensor {
    precondition(operands.allSatisfy { $0.kind == .bool }, "\(name) takes tensors of Bool")
    let shape = operands.dropFirst().reduce(operands[0].shape) { broadcast($0, $1.shape, name) }
    return MLTensor(shape, .bool, .elementwise(.logic(operation)), operands)
  }

  /// Of tensors of floats alone.
  func unary(_ operation: ElementwiseOperation.Unary) -> MLTensor {
    precondition(kind.isFloat, "\(operation)() takes floating-point tensors, not those of \(scalarType)")
    return MLTensor(shape, kind, .elementwise(.unary(operation)), [self])
  }

  /// Of tensors of numbers.
  func numeric(_ operation: ElementwiseOperation.Unary) -> MLTensor {
    precondition(kind != .bool, "\(operation)() takes numbers, not Bool")
    return MLTensor(shape, kind, .elementwise(.unary(operation)), [self])
  }

  /// The scalar as a tensor without axes of this tensor's type.
  func like(_ scalar: some MLTensorScalar) -> MLTensor { MLTensor.scalar(ScalarKind.number(scalar), kind) }

  func cast(to kind: ScalarKind) -> MLTensor {
    kind == self.kind ? self : MLTensor(shape, kind, .elementwise(.cast), [self])
  }

  /// The elements as `scalarType`: from floats to integers they truncate toward zero and saturate, NaN being 0;
  /// integers keep their low bits; to `Bool` all but 0 is true.
  public func cast<Scalar>(to scalarType: Scalar.Type) -> MLTensor where Scalar: MLTensorScalar {
    cast(to: ScalarKind(scalarType))
  }

  /// The elements as those of `other` are. See `cast(to:)`.
  public func cast(like other: MLTensor) -> MLTensor { cast(to: other.kind) }
}
