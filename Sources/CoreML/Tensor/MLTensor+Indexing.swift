extension MLTensor {
  /// The part that an index or a range for each of the leading axes says: an index takes its axis away, a range must
  /// lie inside. `nil` is a new axis, as `.newAxis` is. Axes of which nothing is said stay whole.
  public subscript(ranges: (any MLTensorRangeExpression)?...) -> MLTensor { part(ranges) }

  /// The part, where `...` stands for all axes of which nothing else is said.
  public subscript(firstRange: UnboundedRange, trailingRanges: (any MLTensorRangeExpression)?...) -> MLTensor {
    part([_MLTensorRange(.fillAll)] + trailingRanges)
  }

  /// The part, where `...` stands for all axes of which nothing else is said.
  public subscript(
    firstRange: (any MLTensorRangeExpression)?,
    secondRange: UnboundedRange,
    trailingRanges: (any MLTensorRangeExpression)?...
  ) -> MLTensor {
    part([firstRange, _MLTensorRange(.fillAll)] + trailingRanges)
  }

  /// The part, where `...` stands for all axes of which nothing else is said.
  public subscript(
    firstRange: (any MLTensorRangeExpression)?,
    secondRange: (any MLTensorRangeExpression)?,
    thirdRange: UnboundedRange,
    trailingRanges: (any MLTensorRangeExpression)?...
  ) -> MLTensor {
    part([firstRange, secondRange, _MLTensorRange(.fillAll)] + trailingRanges)
  }

  /// The part, where `...` stands for all axes of which nothing else is said.
  public subscript(
    firstRange: (any MLTensorRangeExpression)?,
    secondRange: (any MLTensorRangeExpression)?,
    thirdRange: (any MLTensorRangeExpression)?,
    fourthRange: UnboundedRange,
    trailingRanges: (any MLTensorRangeExpression)?...
  ) -> MLTensor {
    part([firstRange, secondRange, thirdRange, _MLTensorRange(.fillAll)] + trailingRanges)
  }

  private func part(_ ranges: [(any MLTensorRangeExpression)?]) -> MLTensor {
    let forms = ranges.map { $0?._tensorRange.form ?? .newAxis }
    let fills = forms.indices.filter { if case .fillAll = forms[$0] { true } else { false } }
    let named = forms.filter { if case .newAxis = $0 { false } else { true } }.count - fills.count
    precondition(fills.count <= 1, "a subscript with several '...'")
    precondition(named <= rank, "a subscript for \(named) axes of a tensor with \(rank)")
    var view = TensorView(shape)
    for form in forms { view.append(form, unnamed: rank - named) }
    view.appendRest()
    return view.tensor(of: self)
  }
}

/// A part of a tensor, axis by axis.
private struct TensorView {
  private let shape: [Int]
  private let strides: [Int]
  private var axis = 0
  private var offset = 0
  /// Of the axes that are copied; those of the result have some of them, and new ones.
  private var extents: [Int] = []
  private var steps: [Int] = []
  private var result: [Int] = []

  init(_ shape: [Int]) { (self.shape, strides) = (shape, ArrayLayout.denseStrides(shape)) }

  mutating func append(_ form: _MLTensorRange.Form, unnamed: Int) {
    switch form {
    case .newAxis: result.append(1)
    case .fillAll: for _ in 0..<unnamed { appendRange(0, shape[axis], 1) }
    case .squeezeAxis:
      precondition(shape[axis] == 1, "squeezeAxis: axis \(axis) is \(shape[axis]) long, not 1")
      axis += 1
    case .index(let index):
      let size = shape[axis]
      precondition((-size..<size).contains(index), "index \(index) is outside of axis \(axis), \(size) long")
      offset += (index < 0 ? index + size : index) * strides[axis]
      axis += 1
    case .range(let lower, let upper, let stride):
      let (first, end) = (lower ?? 0, upper ?? shape[axis])
      precondition(
        first >= 0 && end <= shape[axis] && first <= end,
        "\(first)..<\(end) is outside of axis \(axis), \(shape[axis]) long"
      )
      precondition(stride > 0, "a range with a stride of \(stride)")
      appendRange(first, end, stride)
    }
  }

  private mutating func appendRange(_ first: Int, _ end: Int, _ stride: Int) {
    let count = end == first ? 0 : (end - first - 1) / stride + 1
    offset += first * strides[axis]
    extents.append(count)
    steps.append(count > 1 ? strides[axis] * stride : strides[axis])
    result.append(count)
    axis += 1
  }

  mutating func appendRest() { while axis < shape.count { appendRange(0, shape[axis], 1) } }

  func tensor(of tensor: MLTensor) -> MLTensor {
    if extents.reduce(1, *) == tensor.scalarCount, offset == 0 { return tensor.reshaped(to: result) }
    let kernel = StridedKernel(extents: extents, strides: steps, offset: offset)
    return MLTensor(result, tensor.kind, .kernel(kernel), [tensor])
  }
}
