// Other shapes, and other layouts of the same elements.

extension MLShapedArrayProtocol {
  /// The same elements in row-major order under another shape with as many.
  public func reshaped(to shape: [Int]) -> Self {
    let scalars = scalars
    precondition(shape.reduce(1, *) == scalars.count, "\(scalars.count) scalars do not have the shape \(shape)")
    return Self(scalars: scalars, shape: shape)
  }

  /// With an axis of size 1 before `axis`.
  public func expandingShape(at axis: Int) -> Self {
    var shape = shape
    shape.insert(1, at: axis < 0 ? shape.count + 1 + axis : axis)
    return reshaped(to: shape)
  }

  /// Without axes of size 1.
  public func squeezingShape() -> Self { reshaped(to: shape.filter { $0 != 1 }) }

  /// With the order of the axes reversed.
  public func transposed() -> Self { transposed(permutation: Array(shape.indices.reversed())) }

  /// Axis `i` is the array's axis `permutation[i]`.
  public func transposed(permutation: [Int]) -> Self {
    precondition(permutation.sorted() == Array(shape.indices), "\(permutation) is no order of \(shape.count) axes")
    return Self(_buffer: _buffer.permuted(permutation).copied())
  }

  /// A copy with another layout of the memory.
  public func changingLayout(to bufferLayout: MLShapedArrayBufferLayout) -> Self {
    switch bufferLayout {
    case .firstMajorContiguous: return Self(_buffer: _buffer.copied())
    case .lastMajorContiguous:
      // The axes reversed, laid out, and reversed back.
      let reversed = Array(shape.indices.reversed())
      return Self(_buffer: _buffer.permuted(reversed).copied().permuted(reversed))
    case .strides(let strides): return Self(_buffer: _buffer.copied(strides: strides))
    }
  }

  /// Elements as they lie in that layout, to write to, shape and strides, during the closure.
  public mutating func withUnsafeMutableShapedBufferPointer<R>(
    using bufferLayout: MLShapedArrayBufferLayout,
    _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    self = changingLayout(to: bufferLayout)
    return try withUnsafeMutableShapedBufferPointer(body)
  }
}

/// How the memory of a shaped array is laid out.
public enum MLShapedArrayBufferLayout: Hashable, Sendable {
  /// The last axis is contiguous.
  case firstMajorContiguous
  /// The first axis is contiguous.
  case lastMajorContiguous
  /// How many elements lie between neighbours along each axis.
  case strides([Int])
}
