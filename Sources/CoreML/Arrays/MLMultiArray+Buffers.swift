import Foundation

// Access to all elements at once. Pointers are valid during the closure only.

extension MLMultiArray {
  /// The memory of the elements, gaps that strides leave included.
  @inlinable public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: base, count: layout.extent * dataType.byteCount))
  }

  /// The memory of the elements to write to, and the strides.
  @inlinable public func withUnsafeMutableBytes<R>(
    _ body: (UnsafeMutableRawBufferPointer, [Int]) throws -> R
  ) rethrows -> R {
    try body(UnsafeMutableRawBufferPointer(start: base, count: layout.extent * dataType.byteCount), layout.strides)
  }

  /// The elements as they lie. `type` must be the array's element type.
  @inlinable public func withUnsafeBufferPointer<S: MLShapedArrayScalar, R>(
    ofType type: S.Type,
    _ body: (UnsafeBufferPointer<S>) throws -> R
  ) rethrows -> R {
    precondition(S.multiArrayDataType == dataType, "the array has other elements than \(S.self)")
    return try body(UnsafeBufferPointer(start: base.assumingMemoryBound(to: S.self), count: layout.extent))
  }

  /// The elements as they lie, to write to, and the strides. `type` must be the array's element type.
  @inlinable public func withUnsafeMutableBufferPointer<S: MLShapedArrayScalar, R>(
    ofType type: S.Type,
    _ body: (UnsafeMutableBufferPointer<S>, [Int]) throws -> R
  ) rethrows -> R {
    precondition(S.multiArrayDataType == dataType, "the array has other elements than \(S.self)")
    let elements = UnsafeMutableBufferPointer(start: base.assumingMemoryBound(to: S.self), count: layout.extent)
    return try body(elements, layout.strides)
  }

  /// Copies the elements to an array of the same shape, converted to its element type.
  public func transfer(to destinationMultiArray: MLMultiArray) {
    precondition(layout.shape == destinationMultiArray.layout.shape, "arrays of other shapes")
    guard count > 0 else { return }
    let target = destinationMultiArray
    ElementCopy.copy(from: base, dataType, layout, to: target.base, target.dataType, target.layout)
  }
}
