extension MLTensor {
  private static func check(_ indices: MLTensor, _ operation: String) {
    precondition(indices.kind == .int32, "\(operation): the indices are \(indices.scalarType), not Int32")
  }

  /// The elements or slices at `indices`, `Int32`, whose last axis holds one index for each of the leading axes: the
  /// shape of the indices without it, then the axes that have no index. Negative indices count from the end; a
  /// precondition, when elements are computed, that all are inside.
  public func gathering(atIndices indices: MLTensor) -> MLTensor {
    Self.check(indices, "gathering(atIndices:)")
    precondition(indices.rank > 0, "gathering(atIndices:): indices without axes")
    let depth = indices.shape[indices.rank - 1]
    precondition(depth <= rank, "gathering(atIndices:): \(depth) indices for \(rank) axes")
    let result = indices.shape.dropLast() + shape.dropFirst(depth)
    return MLTensor(Array(result), kind, .kernel(LookupKernel()), [self, indices])
  }

  /// The slices at `indices`, `Int32`, along an axis, whose place the axes of the indices take. Negative indices count
  /// from the end; a precondition, when elements are computed, that all are inside.
  public func gathering(atIndices indices: MLTensor, alongAxis axis: Int) -> MLTensor {
    Self.check(indices, "gathering(atIndices:alongAxis:)")
    let axis = self.axis(axis, "gathering(atIndices:alongAxis:)")
    let result = shape[..<axis] + indices.shape + shape[(axis + 1)...]
    return MLTensor(Array(result), kind, .kernel(GatherKernel(axis: axis)), [self, indices])
  }

  /// The tensor with the elements at `indices`, `Int32`, along an axis replaced by those of `replacement`: of all
  /// three the other axes are the same, and of the latter two all. Of equal indices the last counts. Negative indices
  /// count from the end; a precondition, when elements are computed, that all are inside.
  public func replacing(with replacement: MLTensor, atIndices indices: MLTensor, alongAxis axis: Int) -> MLTensor {
    let name = "replacing(with:atIndices:alongAxis:)"
    Self.check(indices, name)
    let (axis, replacement) = (self.axis(axis, name), replacement.adapted(to: self))
    precondition(replacement.kind == kind, "\(name): the elements are \(scalarType) and \(replacement.scalarType)")
    var expected = shape
    if indices.rank == rank { expected[axis] = indices.shape[axis] }
    precondition(
      indices.shape == expected && (replacement.shape == expected || replacement.isScalar),
      "\(name): indices of the shape \(indices.shape) and values of \(replacement.shape) for \(shape)"
    )
    return MLTensor(shape, kind, .kernel(ReplacementKernel(axis: axis)), [self, indices, replacement])
  }

  /// The tensor with the elements at `indices`, `Int32`, along an axis replaced by one value of the tensor's type.
  /// The other axes of the indices are the tensor's. Negative indices count from the end; a precondition, when
  /// elements are computed, that all are inside.
  public func replacing(
    atIndices indices: MLTensor,
    with replacement: some MLTensorScalar,
    alongAxis axis: Int
  ) -> MLTensor {
    replacing(with: like(replacement), atIndices: indices, alongAxis: axis)
  }

  /// The tensor with the elements where `mask`, of `Bool`, is true replaced by those of `other`. Both are broadcast to
  /// the tensor's shape.
  public func replacing(with other: MLTensor, where mask: MLTensor) -> MLTensor {
    precondition(mask.kind == .bool, "replacing(with:where:): the mask is \(mask.scalarType), not Bool")
    let (values, own, common) = Self.matched(other, self, "replacing(with:where:)")
    precondition(
      Self.broadcast(common, mask.shape, "replacing(with:where:)") == shape,
      "replacing(with:where:): a mask of the shape \(mask.shape) and values of \(other.shape) for \(shape)"
    )
    return MLTensor(shape, own.kind, .elementwise(.select), [mask, values, own])
  }

  /// The tensor with the elements where `mask`, of `Bool`, is true replaced by one value of the tensor's type.
  public func replacing(with other: some MLTensorScalar, where mask: MLTensor) -> MLTensor {
    replacing(with: like(other), where: mask)
  }
}
