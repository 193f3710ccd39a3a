import MLCCore

extension KernelProgram {
  /// The indices into `tensor` when it is broadcast against `shape`, whose positions are `axes`.
  ///
  /// An extent of 1 that is stretched reads position 0. An extent that is not known to equal the result's may turn out
  /// to be 1: it is read modulo itself.
  package func broadcast(_ tensor: TensorID, _ axes: [Index], to shape: [Dim]) -> [Index] {
    let own = self[tensor].shape
    let skipped = shape.count - own.count
    return own.indices.map { axis in
      let extent = own[axis]
      if extent == shape[axis + skipped] { return axes[axis + skipped] }
      return extent == 1 ? .constant(0) : axes[axis + skipped].modulo(extent)
    }
  }

  /// `tensor` at `axes`, broadcast; a constant of one element becomes a literal.
  package func element(
    _ tensor: TensorID,
    _ params: inout KernelParams,
    _ axes: [Index],
    in shape: [Dim]
  ) -> Scalar {
    if case .constant(let value) = self[tensor].kind, value.count == 1, value.dtype != .string {
      return value.dtype.isFloat
        ? .constant(value.doubles[0], value.dtype) : .integer(value.integers[0], value.dtype)
    }
    return params.load(tensor, broadcast(tensor, axes, to: shape))
  }
}
