import Foundation

extension MLShapedArrayProtocol {
  /// How many elements there are.
  public var scalarCount: Int { _buffer.layout.count }
  /// Whether the array has no axes.
  public var isScalar: Bool { shape.isEmpty }

  /// The element of an array without axes; `nil` for any other. It is set in such an array only.
  public var scalar: Scalar? {
    get { isScalar ? _buffer.element(at: EmptyCollection()) : nil }
    set {
      precondition(isScalar, "an array with axes is no scalar")
      if let newValue { _buffer.write { elements, _, _ in elements[0] = newValue } }
    }
  }

  /// All elements in row-major order. As many are set as there are.
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

  /// Fills the array in row-major order with `collection`'s elements, again and again where it has fewer.
  public mutating func fill<C: Collection>(with collection: C) where C.Element == Scalar {
    precondition(!collection.isEmpty || scalarCount == 0, "nothing to fill an array with")
    let repeated = Array(collection)
    self = Self(
      _buffer: _MLShapedBuffer(shape: shape) { elements in
        for index in elements.indices { elements.initializeElement(at: index, to: repeated[index % repeated.count]) }
      }
    )
  }

  // MARK: Elements

  /// The element at one index for each axis.
  @inlinable public subscript<C: Collection>(scalarAt indices: C) -> Scalar where C.Element == Int {
    get { _buffer.element(at: indices) }
    set { _buffer.set(newValue, at: indices) }
  }

  /// The element at one index for each axis.
  @inlinable public subscript(scalarAt indices: Int...) -> Scalar {
    get { self[scalarAt: indices] }
    set { self[scalarAt: indices] = newValue }
  }
}
