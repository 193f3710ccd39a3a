/// An element type and a shape, `fp32[batch, 3, 224, 224]`.
package struct TensorType: Hashable, Sendable, CustomStringConvertible {
  package var dtype: DType, shape: [Dim]

  package init(_ dtype: DType, _ shape: [Dim]) { (self.dtype, self.shape) = (dtype, shape) }
  package init(_ dtype: DType, _ shape: [Int]) { self.init(dtype, shape.map { Dim($0) }) }

  package var rank: Int { shape.count }
  /// The shape in numbers, when every extent is one.
  package var staticShape: [Int]? {
    let numbers = shape.compactMap(\.constant)
    return numbers.count == shape.count ? numbers : nil
  }
  package var elementCount: Dim { shape.reduce(1, *) }
  package var description: String { "\(dtype.rawValue)[\(shape.map(\.description).joined(separator: ", "))]" }

  package func with(_ dtype: DType) -> TensorType { TensorType(dtype, shape) }
  package func substituting(_ bindings: [String: Dim]) -> TensorType {
    TensorType(dtype, shape.map { $0.substituting(bindings) })
  }
}

/// The largest tensor that any part of mlc allocates or maps, in bytes: 64 GiB.
package let maximumTensorBytes = 1 << 36

extension [Int] {
  /// Product of the extents; `nil` when one is negative or the product overflows.
  package var checkedProduct: Int? {
    var product = 1
    for extent in self {
      guard extent >= 0 else { return nil }
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      if overflow { return nil }
      product = next
    }
    return product
  }

  /// Row-major strides in elements.
  package var rowMajorStrides: [Int] {
    var strides = [Int](repeating: 1, count: count)
    for axis in indices.dropLast().reversed() { strides[axis] = strides[axis + 1] &* self[axis + 1] }
    return strides
  }
}
