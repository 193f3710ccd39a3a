extension MLTensor {
  /// The same elements under another shape, which has as many; one size may be -1 and follows from the others.
  public func reshaped(to newShape: [Int]) -> MLTensor {
    var result = newShape
    if let open = newShape.firstIndex(of: -1) {
      let others = newShape.enumerated().filter { $0.offset != open }.reduce(1) { $0 * $1.element }
      precondition(
        others > 0 && scalarCount.isMultiple(of: others) && !newShape[(open + 1)...].contains(-1),
        "reshaped(to:): \(shape) cannot become \(newShape)"
      )
      result[open] = scalarCount / others
    }
    precondition(
      TensorNode.checkedCount(result, kind) == scalarCount,
      "reshaped(to:): \(shape) has \(scalarCount) elements, which \(newShape) has not"
    )
    return result == shape ? self : MLTensor(result, kind, .view, [self])
  }

  /// The elements in row-major order along one axis.
  public func flattened() -> MLTensor { reshaped(to: [scalarCount]) }

  /// The tensor with an axis of one element at each of `axes`, which are those of the result.
  public func expandingShape(at axes: Int...) -> MLTensor { expandingShape(at: axes) }

  /// The tensor with an axis of one element at each of `axes`, which are those of the result.
  public func expandingShape(at axes: [Int]) -> MLTensor {
    let places = self.axes(axes, of: rank + axes.count, "expandingShape(at:)")
    var result = shape
    for place in places { result.insert(1, at: place) }
    return reshaped(to: result)
  }

  /// The tensor without `axes`, which are one element long.
  public func squeezingShape(at axes: Int...) -> MLTensor { squeezingShape(at: axes) }

  /// The tensor without `axes`, which are one element long.
  public func squeezingShape(at axes: [Int]) -> MLTensor {
    let places = self.axes(axes, "squeezingShape(at:)")
    for place in places {
      precondition(shape[place] == 1, "squeezingShape(at:): axis \(place) is \(shape[place]) long, not 1")
    }
    return reshaped(to: shape.indices.filter { !places.contains($0) }.map { shape[$0] })
  }

  /// The tensor without all axes that are one element long.
  public func squeezingShape() -> MLTensor { reshaped(to: shape.filter { $0 != 1 }) }

  /// The tensor with its axes in the opposite order.
  public func transposed() -> MLTensor { transposed(permutation: Array(shape.indices.reversed())) }

  /// The tensor whose axis `i` is this one's axis `permutation[i]`.
  public func transposed(permutation: Int...) -> MLTensor { transposed(permutation: permutation) }

  /// The tensor whose axis `i` is this one's axis `permutation[i]`.
  public func transposed(permutation: [Int]) -> MLTensor {
    precondition(permutation.count == rank, "transposed(permutation:): \(permutation) for \(rank) axes")
    _ = axes(permutation, "transposed(permutation:)")
    let order = permutation.map { axis($0, "transposed(permutation:)") }
    if order == Array(0..<rank) { return self }
    let strides = ArrayLayout.denseStrides(shape)
    let kernel = StridedKernel(extents: order.map { shape[$0] }, strides: order.map { strides[$0] })
    return MLTensor(kernel.extents, kind, .kernel(kernel), [self])
  }

  /// The tensor with the elements along `axes` in the opposite order.
  public func reversed(alongAxes axes: Int...) -> MLTensor { reversed(alongAxes: axes) }

  /// The tensor with the elements along `axes` in the opposite order.
  public func reversed(alongAxes axes: [Int]) -> MLTensor {
    var (strides, offset) = (ArrayLayout.denseStrides(shape), 0)
    for axis in self.axes(axes, "reversed(alongAxes:)") {
      offset += (shape[axis] - 1) * strides[axis]
      strides[axis].negate()
    }
    return MLTensor(shape, kind, .kernel(StridedKernel(extents: shape, strides: strides, offset: offset)), [self])
  }

  /// Everything outside of a central band of each matrix of the last two axes becomes 0. In row i stay the columns
  /// from `i - lowerBandCount` to `i + upperBandCount`; a negative number keeps all on its side.
  public func bandPart(lowerBandCount: Int, upperBandCount: Int) -> MLTensor {
    precondition(rank >= 2, "bandPart of a tensor with \(rank) axes")
    return MLTensor(shape, kind, .kernel(BandKernel(below: lowerBandCount, above: upperBandCount)), [self])
  }
}
