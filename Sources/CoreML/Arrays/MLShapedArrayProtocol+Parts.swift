// Slices: they share the array's memory until one of them is written.

extension MLShapedArrayProtocol {
  public var startIndex: Int { 0 }
  public var endIndex: Int { shape.first ?? 0 }
  /// The size of the first axis.
  public var count: Int { endIndex }

  public subscript(index: Int) -> MLShapedArraySlice<Scalar> {
    get { MLShapedArraySlice(_buffer: _buffer.part(at: CollectionOfOne(index))) }
    set { _buffer.assign(newValue._buffer, at: CollectionOfOne(index)) }
  }

  /// The part at these indices of the leading axes.
  public subscript<C: Collection>(indices: C) -> MLShapedArraySlice<Scalar> where C.Element == Int {
    get { MLShapedArraySlice(_buffer: _buffer.part(at: indices)) }
    set { _buffer.assign(newValue._buffer, at: indices) }
  }

  /// The part at these indices of the leading axes.
  public subscript(indices: Int...) -> MLShapedArraySlice<Scalar> {
    get { self[indices] }
    set { self[indices] = newValue }
  }

  /// The part in a range of each axis.
  public subscript<C: Collection>(sliceRanges: C) -> MLShapedArraySlice<Scalar> where C.Element == Range<Int> {
    get { MLShapedArraySlice(_buffer: _buffer.part(chosen(Array(sliceRanges)))) }
    set { _buffer.assign(newValue._buffer, chosen(Array(sliceRanges))) }
  }

  /// The part in a range of each of the leading axes.
  public subscript<C: Collection>(partialSliceRanges: C) -> MLShapedArraySlice<Scalar>
  where C.Element == any MLShapedArrayRangeExpression {
    get { MLShapedArraySlice(_buffer: _buffer.part(chosen(Array(partialSliceRanges)))) }
    set { _buffer.assign(newValue._buffer, chosen(Array(partialSliceRanges))) }
  }

  /// The part in a range of each of the leading axes.
  public subscript(sliceRanges: any MLShapedArrayRangeExpression...) -> MLShapedArraySlice<Scalar> {
    get { MLShapedArraySlice(_buffer: _buffer.part(chosen(sliceRanges))) }
    set { _buffer.assign(newValue._buffer, chosen(sliceRanges)) }
  }

  /// The part in a range of the first axis.
  public subscript(sliceRange: Range<Int>) -> MLShapedArraySlice<Scalar> {
    get { MLShapedArraySlice(_buffer: _buffer.part(chosen([sliceRange]))) }
    set { _buffer.assign(newValue._buffer, chosen([sliceRange])) }
  }

  /// The part in a range of the first axis.
  public subscript(sliceRange: any MLShapedArrayRangeExpression) -> MLShapedArraySlice<Scalar> {
    get { MLShapedArraySlice(_buffer: _buffer.part(chosen([sliceRange]))) }
    set { _buffer.assign(newValue._buffer, chosen([sliceRange])) }
  }

  /// The whole array.
  public subscript(_: (UnboundedRange_) -> Void) -> MLShapedArraySlice<Scalar> {
    get { MLShapedArraySlice(_buffer: _buffer) }
    set { _buffer.assign(newValue._buffer, chosen([])) }
  }

  /// A range for each axis; those that `ranges` lacks are whole.
  private func chosen(_ ranges: [any MLShapedArrayRangeExpression]) -> [Range<Int>] {
    precondition(ranges.count <= shape.count, "\(ranges.count) ranges for \(shape.count) axes")
    return shape.enumerated().map { axis, size in
      axis < ranges.count ? ranges[axis].relative(toShapedArrayAxis: 0..<size) : 0..<size
    }
  }
}

/// A range of positions along an axis: `1..<3`, `2...`, `..<4`, `...`.
public protocol MLShapedArrayRangeExpression {
  /// The positions it selects of an range.
  func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int>
}

extension Range: MLShapedArrayRangeExpression where Bound == Int {
  public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { self }
}
extension ClosedRange: MLShapedArrayRangeExpression where Bound == Int {
  public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { lowerBound..<upperBound + 1 }
}
extension PartialRangeFrom: MLShapedArrayRangeExpression where Bound == Int {
  public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { lowerBound..<range.upperBound }
}
extension PartialRangeUpTo: MLShapedArrayRangeExpression where Bound == Int {
  public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { range.lowerBound..<upperBound }
}
extension PartialRangeThrough: MLShapedArrayRangeExpression where Bound == Int {
  public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { range.lowerBound..<upperBound + 1 }
}
