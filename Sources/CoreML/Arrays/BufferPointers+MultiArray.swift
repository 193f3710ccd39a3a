// Buffers that stay beyond a closure: they are valid as long as the array is, which the caller keeps alive.

extension UnsafeBufferPointer {
  /// The elements of an array as they lie, gaps that strides leave included; valid as long as the array is.
  ///
  /// Throws `MLModelError.generic` when the array has other elements than `Element`.
  public init(_ multiArray: MLMultiArray) throws {
    self.init(try UnsafeMutableBufferPointer(multiArray))
  }
}

extension UnsafeMutableBufferPointer {
  /// The elements of an array as they lie, gaps that strides leave included, to write to; valid as long as the array
  /// is.
  ///
  /// Throws `MLModelError.generic` when the array has other elements than `Element`.
  public init(_ multiArray: MLMultiArray) throws {
    guard let scalar = Element.self as? any MLShapedArrayScalar.Type, scalar.multiArrayDataType == multiArray.dataType
    else {
      throw MLModelError(.generic, "an array of \(multiArray.dataType) elements has none that are \(Element.self)")
    }
    let count = multiArray.layout.extent
    self.init(start: multiArray.base.assumingMemoryBound(to: Element.self), count: count)
  }
}
