import Foundation

extension MLShapedArrayProtocol {
  public var shape: [Int] { _buffer.layout.shape }
  public var strides: [Int] { _buffer.layout.strides }
  public var scalarCount: Int { _buffer.layout.count }
  /// Whether the array has no axes.
  public var isScalar: Bool { _buffer.layout.shape.isEmpty }

  public var scalar: Scalar? {
    get { isScalar ? _buffer.elements[0] : nil }
    set {
      precondition(isScalar, "an array with axes is no scalar")
      if let newValue { _buffer.write { elements, _, _ in elements[0] = newValue } }
    }
  }

  public var scalars: [Scalar] {
    get {
      let dense = _buffer.layout.isDense ? _buffer : _buffer.copied()
      return dense.read { elements, _, _ in Array(elements.prefix(scalarCount)) }
    }
    set {
      precondition(newValue.count == scalarCount, "\(newValue.count) scalars for \(scalarCount)")
      _buffer = _MLShapedBuffer(shape: shape) { _ = $0.initialize(from: newValue) }
    }
  }

  public mutating func fill(with value: Scalar) { self = Self(repeating: value, shape: shape) }

  /// Elements as they lie, shape and strides, during the closure.
  public func withUnsafeShapedBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    try _buffer.read(body)
  }

  /// Elements as they lie, to write to, shape and strides, during the closure.
  public mutating func withUnsafeMutableShapedBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    try _buffer.write(body)
  }

  // MARK: Elements

  /// The element at one index for each axis.
  @inlinable public subscript<C: Collection>(scalarAt indices: C) -> Scalar where C.Element == Int {
    get { _buffer.elements[_buffer.layout.offset(indices)] }
    set {
      _buffer.makeUnique()
      _buffer.elements[_buffer.layout.offset(indices)] = newValue
    }
  }

  /// The element at one index for each axis.
  @inlinable public subscript(scalarAt indices: Int...) -> Scalar {
    get { self[scalarAt: indices] }
    set { self[scalarAt: indices] = newValue }
  }

  // MARK: Parts

  public var startIndex: Int { 0 }
  public var endIndex: Int { _buffer.layout.shape.first ?? 0 }
  /// The size of the first axis.
  public var count: Int { endIndex }

  public subscript(index: Int) -> MLShapedArraySlice<Scalar> {
    get { MLShapedArraySlice(_buffer: _buffer.part(index)) }
    set { _buffer.assign(newValue._buffer, at: index) }
  }

  /// The part at these indices of the leading axes.
  public subscript<C: Collection>(indices: C) -> MLShapedArraySlice<Scalar> where C.Element == Int {
    indices.reduce(MLShapedArraySlice(_buffer: _buffer)) { $0[$1] }
  }

  /// The part at these indices of the leading axes.
  public subscript(first: Int, second: Int, rest: Int...) -> MLShapedArraySlice<Scalar> {
    self[[first, second] + rest]
  }

  /// The part in a range of each of the leading axes.
  public subscript(ranges: any MLShapedArrayRangeExpression...) -> MLShapedArraySlice<Scalar> {
    precondition(ranges.count <= shape.count, "\(ranges.count) ranges for \(shape.count) axes")
    let chosen = shape.enumerated().map { axis, size in
      axis < ranges.count ? ranges[axis].range(of: 0..<size) : 0..<size
    }
    return MLShapedArraySlice(_buffer: _buffer.part(chosen, dropping: 0))
  }

  /// The part in a range of the first axis.
  public subscript(bounds: Range<Int>) -> MLShapedArraySlice<Scalar> {
    get {
      let ranges = [bounds] + shape.dropFirst().map { 0..<$0 }
      return MLShapedArraySlice(_buffer: _buffer.part(ranges, dropping: 0))
    }
    set {
      for (index, position) in bounds.enumerated() { self[position] = newValue[index] }
    }
  }

  // MARK: As a value

  /// Same shape, equal elements.
  public static func == (a: Self, b: Self) -> Bool { a.shape == b.shape && a.scalars == b.scalars }

  public var description: String {
    if let scalar { return "\(scalar)" }
    if shape.count == 1 { return "[" + scalars.map { "\($0)" }.joined(separator: ", ") + "]" }
    return "[" + map { $0.description }.joined(separator: ",\n ") + "]"
  }
}

/// A range of positions along an axis: `1..<3`, `2...`, `..<4`, `...`.
public protocol MLShapedArrayRangeExpression {
  /// The positions it selects of an axis.
  func range(of axis: Range<Int>) -> Range<Int>
}

extension Range: MLShapedArrayRangeExpression where Bound == Int {
  public func range(of axis: Range<Int>) -> Range<Int> { self }
}
extension ClosedRange: MLShapedArrayRangeExpression where Bound == Int {
  public func range(of axis: Range<Int>) -> Range<Int> { lowerBound..<upperBound + 1 }
}
extension PartialRangeFrom: MLShapedArrayRangeExpression where Bound == Int {
  public func range(of axis: Range<Int>) -> Range<Int> { lowerBound..<axis.upperBound }
}
extension PartialRangeUpTo: MLShapedArrayRangeExpression where Bound == Int {
  public func range(of axis: Range<Int>) -> Range<Int> { axis.lowerBound..<upperBound }
}
extension PartialRangeThrough: MLShapedArrayRangeExpression where Bound == Int {
  public func range(of axis: Range<Int>) -> Range<Int> { axis.lowerBound..<upperBound + 1 }
}
