extension MLTensor {
  /// What stands around a padded tensor.
  public enum PaddingMode: Hashable, Sendable, CustomStringConvertible {
    /// One value, which takes the tensor's type.
    case constant(Float)
    /// The elements mirrored at the first and the last, which stand there once. Fewer than the axis is long.
    case reflection
    /// The elements mirrored at the edges: the first and the last stand there twice. At most as many as the axis is
    /// long.
    case symmetric

    /// The case as it is written.
    public var description: String {
      switch self {
      case .constant(let value): "constant(\(value))"
      case .reflection: "reflection"
      case .symmetric: "symmetric"
      }
    }
  }

  /// The tensor with so many elements before and behind each axis, which are `value`, of the tensor's type.
  public func padded(forSizes sizes: [(before: Int, after: Int)], with value: Float) -> MLTensor {
    padded(forSizes: sizes, mode: .constant(value))
  }

  /// The tensor with so many elements before and behind each axis, which the mode says.
  public func padded(forSizes sizes: [(before: Int, after: Int)], mode: PaddingMode) -> MLTensor {
    precondition(
      sizes.count == rank && sizes.allSatisfy { $0.before >= 0 && $0.after >= 0 },
      "padded(forSizes:): \(sizes) for \(rank) axes"
    )
    if case .constant(let value) = mode {
      let result = zip(shape, sizes).map { size, pad in
        let (sum, overflow) = size.addingReportingOverflow(pad.before)
        let (total, totalOverflow) = sum.addingReportingOverflow(pad.after)
        precondition(!overflow && !totalOverflow, "padded(forSizes:): \(sizes)")
        return total
      }
      let kernel = PadKernel(before: sizes.map { $0.before }, lane: kind.lane(Double(value)))
      return MLTensor(result, kind, .kernel(kernel), [self])
    }
    let repeated = mode == .symmetric ? 0 : 1
    return sizes.enumerated().reduce(self) { tensor, pad in
      let (axis, (before, after)) = pad
      let size = shape[axis]
      if before == 0 && after == 0 { return tensor }
      precondition(
        Swift.max(before, after) <= size - repeated,
        "padded(forSizes:): \(mode) of \(before) and \(after) elements, axis \(axis) is \(size) long"
      )
      let places = (-before..<size + after).map { place in
        place < 0 ? -place - 1 + repeated : place < size ? place : 2 * size - 1 - repeated - place
      }
      return tensor.selecting(places, axis)
    }
  }

  /// The elements at `places`, all inside, along an axis.
  func selecting(_ places: [Int], _ axis: Int) -> MLTensor {
    var result = shape
    result[axis] = places.count
    return MLTensor(result, kind, .kernel(SelectionKernel(axis: axis, places: places)), [self])
  }
}
