extension MLTensor {
  /// The tensors, of one shape and type, along a new axis. There is at least one.
  @_disfavoredOverload  // literals of numbers are scalars before they are tensors
  public init(_ elements: some Collection<MLTensor>, alongAxis axis: Int = 0) {
    self.init(stacking: elements, alongAxis: axis)
  }

  /// The tensors, of one shape and type, along a new axis. There is at least one.
  public init(stacking tensors: some Collection<MLTensor>, alongAxis axis: Int = 0) {
    guard let first = tensors.first else { preconditionFailure("there is nothing to stack") }
    let place = first.axis(axis, of: first.rank + 1, "init(stacking:alongAxis:)")
    for tensor in tensors {
      precondition(
        tensor.shape == first.shape,
        "init(stacking:alongAxis:): the shapes \(first.shape) and \(tensor.shape) differ"
      )
    }
    self.init(concatenating: tensors.map { $0.expandingShape(at: place) }, alongAxis: place)
  }

  /// The tensors one behind the other along an axis; their types and other axes are the same. There is at least one.
  public init(concatenating tensors: some Collection<MLTensor>, alongAxis axis: Int = 0) {
    guard let first = tensors.first else { preconditionFailure("there is nothing to concatenate") }
    let place = first.axis(axis, "init(concatenating:alongAxis:)")
    var result = first.shape
    result[place] = 0
    for tensor in tensors {
      var others = tensor.shape
      precondition(
        tensor.kind == first.kind,
        "init(concatenating:alongAxis:): the elements are \(first.scalarType) and \(tensor.scalarType); cast some"
      )
      if others.count == first.rank { others[place] = first.shape[place] }
      precondition(
        others == first.shape,
        "init(concatenating:alongAxis:): the shapes \(first.shape) and \(tensor.shape) do not fit along axis \(place)"
      )
      result[place] += tensor.shape[place]
    }
    self.init(result, first.kind, .kernel(JoinKernel(axis: place)), Array(tensors))
  }

  /// This tensor and `other` behind it along an axis; their types and other axes are the same.
  public func concatenated(with other: MLTensor, alongAxis axis: Int = 0) -> MLTensor {
    MLTensor(concatenating: [self, other], alongAxis: axis)
  }

  /// `count` parts of the same size along an axis, which `count` divides.
  public func split(count: Int, alongAxis axis: Int = 0) -> [MLTensor] {
    let place = self.axis(axis, "split(count:alongAxis:)")
    precondition(
      count > 0 && shape[place].isMultiple(of: count),
      "split(count:alongAxis:): \(shape[place]) elements cannot be split into \(count) parts"
    )
    return split(sizes: Array(repeating: shape[place] / count, count: count), alongAxis: place)
  }

  /// Parts of these sizes along an axis, which together are as long as it is.
  public func split(sizes: [Int], alongAxis axis: Int = 0) -> [MLTensor] {
    let place = self.axis(axis, "split(sizes:alongAxis:)")
    precondition(
      sizes.allSatisfy { $0 >= 0 } && sizes.reduce(0, +) == shape[place],
      "split(sizes:alongAxis:): \(sizes) of \(shape[place]) elements"
    )
    var start = 0
    return sizes.map { size in
      defer { start += size }
      return sliced(place, start, size, 1)
    }
  }

  /// The parts one element long along an axis, without it.
  public func unstacked(alongAxis axis: Int = 0) -> [MLTensor] {
    let place = self.axis(axis, "unstacked(alongAxis:)")
    return (0..<shape[place]).map { sliced(place, $0, 1, 1).squeezingShape(at: place) }
  }

  /// `count` elements along an axis from `start` on, `step` apart.
  func sliced(_ axis: Int, _ start: Int, _ count: Int, _ step: Int) -> MLTensor {
    if start == 0 && count == shape[axis] && step == 1 { return self }
    var (extents, strides) = (shape, ArrayLayout.denseStrides(shape))
    let offset = start * strides[axis]
    extents[axis] = count
    strides[axis] *= step
    return MLTensor(extents, kind, .kernel(StridedKernel(extents: extents, strides: strides, offset: offset)), [self])
  }

  /// The elements again and again: axis `i` as often as `multiples[i]` says, which is at least 1. Where there are more
  /// axes than numbers, or more numbers than axes, ones stand before the fewer.
  public func tiled(multiples: [Int]) -> MLTensor {
    precondition(multiples.allSatisfy { $0 > 0 }, "tiled(multiples:): \(multiples) are not all positive")
    let missing = multiples.count - rank
    let sizes = Array(repeating: 1, count: Swift.max(missing, 0)) + shape
    let times = Array(repeating: 1, count: Swift.max(-missing, 0)) + multiples
    let result = zip(sizes, times).map { size, count in
      let (product, overflow) = size.multipliedReportingOverflow(by: count)
      precondition(!overflow, "tiled(multiples:): \(multiples) of \(shape)")
      return product
    }
    let strides = ArrayLayout.denseStrides(sizes)
    let kernel = StridedKernel(
      extents: zip(times, sizes).flatMap { [$0, $1] },
      strides: strides.flatMap { [0, $0] }
    )
    return MLTensor(result, kind, .kernel(kernel), [self])
  }
}
