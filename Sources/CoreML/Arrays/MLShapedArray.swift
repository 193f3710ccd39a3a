import Foundation

/// Elements of one type in a shape of any rank, as a value: copies are independent, and share memory until one is written.
public struct MLShapedArray<Scalar: MLShapedArrayScalar>: MLShapedArrayProtocol {
  public var _buffer: _MLShapedBuffer<Scalar>
  public init(_buffer: _MLShapedBuffer<Scalar>) { self._buffer = _buffer }
  public typealias SubSequence = MLShapedArraySlice<Scalar>

  /// The arrays one after the other along an axis. Their other axes must have equal sizes.
  public init<S: Sequence>(concatenating shapedArrays: S, alongAxis axis: Int)
  where S.Element: MLShapedArrayProtocol, S.Element.Scalar == Scalar {
    let arrays = shapedArrays.map { MLMultiArray($0) }
    self.init(MLMultiArray(concatenating: arrays, axis: axis, dataType: Scalar.multiArrayDataType))
  }
}

/// A part of a shaped array. It shares the array's memory until one of them is written.
public struct MLShapedArraySlice<Scalar: MLShapedArrayScalar>: MLShapedArrayProtocol {
  public var _buffer: _MLShapedBuffer<Scalar>
  public init(_buffer: _MLShapedBuffer<Scalar>) { self._buffer = _buffer }
  public typealias SubSequence = MLShapedArraySlice<Scalar>
}

// A number in an array literal is an array without axes.
extension MLShapedArraySlice: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self.init(scalar: Scalar(converting: value)) }
}
extension MLShapedArraySlice: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) { self.init(scalar: Scalar(converting: Double(value))) }
}

// MARK: Other shapes

extension MLShapedArray {
  /// The same elements in row-major order under another shape with as many.
  public func reshaped(to shape: [Int]) -> MLShapedArray { MLShapedArray(scalars: scalars, shape: shape) }

  /// With an axis of size 1 before `axis`.
  public func expandingShape(at axis: Int) -> MLShapedArray {
    var shape = shape
    shape.insert(1, at: axis < 0 ? shape.count + 1 + axis : axis)
    return reshaped(to: shape)
  }

  /// Without axes of size 1.
  public func squeezingShape() -> MLShapedArray { reshaped(to: shape.filter { $0 != 1 }) }

  /// With the order of the axes reversed.
  public func transposed() -> MLShapedArray { transposed(permutation: Array(shape.indices.reversed())) }

  /// Axis `i` is the array's axis `permutation[i]`.
  public func transposed(permutation: [Int]) -> MLShapedArray {
    precondition(permutation.sorted() == Array(shape.indices), "\(permutation) is no order of \(shape.count) axes")
    let (shape, strides) = (permutation.map { self.shape[$0] }, permutation.map { self.strides[$0] })
    guard let layout = ArrayLayout(shape, strides: strides, width: MemoryLayout<Scalar>.stride) else { return self }
    return MLShapedArray(_buffer: _MLShapedBuffer(_buffer.memory, start: _buffer.start, layout).copied())
  }

  /// With another layout of the memory.
  public func changingLayout(to bufferLayout: MLShapedArrayBufferLayout) -> MLShapedArray {
    switch bufferLayout {
    case .firstMajorContiguous: MLShapedArray(_buffer: _buffer.copied())
    case .lastMajorContiguous:
      // The axes reversed, laid out, and reversed back.
      MLShapedArray(_buffer: transposed()._buffer.reversed)
    }
  }
}

/// How the memory of a shaped array is laid out.
public enum MLShapedArrayBufferLayout: Sendable {
  /// The last axis is contiguous.
  case firstMajorContiguous
  /// The first axis is contiguous.
  case lastMajorContiguous
}

extension _MLShapedBuffer {
  /// The same memory with the order of the axes reversed.
  fileprivate var reversed: _MLShapedBuffer {
    let (shape, strides) = (Array(layout.shape.reversed()), Array(layout.strides.reversed()))
    guard let layout = ArrayLayout(shape, strides: strides, width: MemoryLayout<Scalar>.stride) else { return self }
    return _MLShapedBuffer(memory, start: start, layout)
  }
}

// MARK: In archives

extension MLShapedArray: Codable {
  private enum Key: String, CodingKey { case shape, scalars }

  /// Throws `DecodingError` when there are not as many scalars as the shape says.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let shape = try container.decode([Int].self, forKey: .shape)
    let scalars = try container.decode([Scalar].self, forKey: .scalars)
    guard ArrayLayout(shape, width: MemoryLayout<Scalar>.stride)?.count == scalars.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .scalars,
        in: container,
        debugDescription: "\(scalars.count) scalars for the shape \(shape)"
      )
    }
    self.init(scalars: scalars, shape: shape)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(shape, forKey: .shape)
    try container.encode(scalars, forKey: .scalars)
  }
}
