extension MLTensor {
  private func extreme(_ isLargest: Bool, _ axis: Int, _ keepRank: Bool) -> MLTensor {
    let name = isLargest ? "argmax" : "argmin"
    let axis = self.axis(axis, "\(name)(alongAxis:)")
    precondition(shape[axis] > 0, "\(name) of no elements: the shape is \(shape)")
    precondition(shape[axis] <= Int32.max, "\(name): \(shape[axis]) places do not fit Int32")
    var result = shape
    if keepRank { result[axis] = 1 } else { result.remove(at: axis) }
    let kernel = AxisKernel(operation: .extreme(isLargest: isLargest), axis: axis)
    return MLTensor(result, .int32, .kernel(kernel), [self])
  }

  /// Where the largest element stands in row-major order, the first of equal ones and the first NaN where there is
  /// one, as `Int32` without axes.
  public func argmax() -> MLTensor { flattened().extreme(true, 0, false) }

  /// Where along the axis the largest element stands, the first of equal ones and the first NaN where there is one, as
  /// `Int32`. With `keepRank` the axis stays, one long.
  public func argmax(alongAxis axis: Int, keepRank: Bool = false) -> MLTensor { extreme(true, axis, keepRank) }

  /// Where the smallest element stands in row-major order, the first of equal ones and the first NaN where there is
  /// one, as `Int32` without axes.
  public func argmin() -> MLTensor { flattened().extreme(false, 0, false) }

  /// Where along the axis the smallest element stands, the first of equal ones and the first NaN where there is one,
  /// as `Int32`. With `keepRank` the axis stays, one long.
  public func argmin(alongAxis axis: Int, keepRank: Bool = false) -> MLTensor { extreme(false, axis, keepRank) }

  /// The places along the axis at which the elements stand in ascending or descending order, as `Int32`. Equal
  /// elements stay in their order, and NaN comes last either way.
  public func argsort(alongAxis axis: Int = -1, descendingOrder: Bool = false) -> MLTensor {
    let axis = self.axis(axis, "argsort(alongAxis:)")
    precondition(shape[axis] <= Int32.max, "argsort: \(shape[axis]) places do not fit Int32")
    let kernel = AxisKernel(operation: .sort(descends: descendingOrder, keeps: shape[axis]), axis: axis)
    return MLTensor(shape, .int32, .kernel(kernel), [self])
  }

  /// The `k` largest elements along the last axis in descending order, and at which places they stand, as `Int32`. Of
  /// equal elements the first come first; NaN comes last.
  public func topK(_ k: Int) -> (values: MLTensor, indices: MLTensor) {
    precondition(rank > 0, "topK of a tensor without axes")
    precondition((0...shape[rank - 1]).contains(k), "the \(k) largest of \(shape[rank - 1]) elements")
    let result = Array(shape.dropLast()) + [k]
    let kernel = AxisKernel(operation: .sort(descends: true, keeps: k), axis: rank - 1)
    let indices = MLTensor(result, .int32, .kernel(kernel), [self])
    return (MLTensor(result, kind, .kernel(PickKernel(axis: rank - 1)), [self, indices]), indices)
  }

  /// `exp(x) / Σ exp(x)` along the axis, which no element makes overflow. The tensor is of floats.
  public func softmax(alongAxis axis: Int = -1) -> MLTensor {
    precondition(kind.isFloat, "softmax() takes floating-point tensors, not those of \(scalarType)")
    let axis = self.axis(axis, "softmax(alongAxis:)")
    if axis < rank - 1, shape[(axis + 1)...].contains(where: { $0 != 1 }) {
      let swap = shape.indices.map { $0 == axis ? rank - 1 : $0 == rank - 1 ? axis : $0 }
      return transposed(permutation: swap).softmax().transposed(permutation: swap)
    }
    return MLTensor(shape, kind, .kernel(AxisKernel(operation: .softmax, axis: axis)), [self])
  }

  private func accumulated(_ multiplies: Bool, _ axis: Int, _ name: String) -> MLTensor {
    precondition(kind != .bool, "\(name)() takes numbers, not Bool")
    let axis = self.axis(axis, "\(name)(alongAxis:)")
    let kernel = AxisKernel(operation: .accumulate(multiplies: multiplies), axis: axis)
    return MLTensor(shape, kind, .kernel(kernel), [self])
  }

  /// The sum of each element and all before it along the axis, in double precision; integers wrap around.
  public func cumulativeSum(alongAxis axis: Int = 0) -> MLTensor { accumulated(false, axis, "cumulativeSum") }

  /// The product of each element and all before it along the axis, in double precision; integers wrap around.
  public func cumulativeProduct(alongAxis axis: Int = 0) -> MLTensor { accumulated(true, axis, "cumulativeProduct") }
}
