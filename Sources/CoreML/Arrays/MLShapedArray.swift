import Foundation

/// Elements of one type in a shape of any rank, as a value: copies are independent, and share memory until one is
/// written.
public struct MLShapedArray<Scalar: MLShapedArrayScalar>: _MLBufferedArray {
  public var _buffer: _MLShapedBuffer<Scalar>
  public init(_buffer: _MLShapedBuffer<Scalar>) { self._buffer = _buffer }
  public typealias SubSequence = MLShapedArraySlice<Scalar>
}

/// A part of a shaped array. It shares the array's memory until one of them is written.
public struct MLShapedArraySlice<Scalar: MLShapedArrayScalar>: _MLBufferedArray {
  public var _buffer: _MLShapedBuffer<Scalar>
  public init(_buffer: _MLShapedBuffer<Scalar>) { self._buffer = _buffer }
  public typealias SubSequence = MLShapedArraySlice<Scalar>
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

extension MLShapedArraySlice: Codable {
  /// As the array of the slice's elements is. Throws `DecodingError` when there are not as many scalars as the shape
  /// says.
  public init(from decoder: any Decoder) throws { self.init(_buffer: try MLShapedArray<Scalar>(from: decoder)._buffer) }

  public func encode(to encoder: any Encoder) throws { try MLShapedArray(_buffer: _buffer).encode(to: encoder) }
}
