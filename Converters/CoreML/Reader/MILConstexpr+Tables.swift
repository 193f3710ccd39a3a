import MLCCore

extension MILConstexpr {
  /// iOS 16: indices packed into bytes from the low bits up, one table, the shape beside them.
  static func lookUpPacked(_ node: MILNode) throws(Diagnostic) -> Tensor {
    let (packed, lut) = (try node.required("indices"), try node.required("lut"))
    let shape = try extents(node)
    guard lut.rank == 1, lut.count >= 2, lut.count <= 256, lut.count.nonzeroBitCount == 1, packed.dtype == .uint8,
      lut.dtype != .string
    else { throw wrong("constexpr_lut_to_dense with a table of \(lut.type)") }
    let width = lut.count.trailingZeroBitCount
    guard let count = shape.checkedProduct, count <= maximumTensorBytes / 8, packed.count == (count * width + 7) / 8
    else { throw wrong("\(packed.count) bytes of indices for shape \(shape)") }
    let (table, bits) = (lut.doubles, PackedElements(packed, width: width))
    return Tensor(expanding: lut.dtype, shape) { table[Int(bits[$0])] }
  }

  /// iOS 18: `lut: T[*G, 2ⁿ, V]`, the extents of G divide those of the indices; each index stands for V elements along
  /// `vector_axis`.
  static func lookUp(_ node: MILNode) throws(Diagnostic) -> Tensor {
    let (indices, lut) = (try node.required("indices"), try node.required("lut"))
    guard lut.rank == indices.rank + 2, lut.dtype != .string, indices.dtype.isInteger, !indices.dtype.isSigned,
      indices.dtype.bitWidth <= 8, lut.shape[indices.rank] == 1 << indices.dtype.bitWidth
    else { throw wrong("constexpr_lut_to_dense of \(indices.type) with a table of \(lut.type)") }
    let (entries, vector) = (lut.shape[indices.rank], lut.shape[indices.rank + 1])
    let blocks = try BlockIndex(indices.shape, Array(lut.shape.dropLast(2)))
    let (table, elements) = (lut.doubles, PackedElements(indices))
    if vector == 1 {
      return Tensor(expanding: lut.dtype, indices.shape) { table[blocks[$0] * entries + Int(elements[$0])] }
    }
    let axis = try node.integer("vector_axis") ?? -1
    let position = axis < 0 ? axis + indices.rank : axis
    guard indices.shape.indices.contains(position), vector > 0 else { throw wrong("vector_axis is \(axis)") }
    var shape = indices.shape
    let (extent, overflow) = shape[position].multipliedReportingOverflow(by: vector)
    shape[position] = extent
    guard !overflow, let count = shape.checkedProduct, count <= maximumTensorBytes / 8 else { throw wrong("a vector of \(vector)") }
    let inner = shape[(position + 1)...].reduce(1, *)
    return Tensor(expanding: lut.dtype, shape) { index in
      let (outer, along, rest) = (index / inner / extent, index / inner % extent, index % inner)
      let source = (outer * (extent / vector) + along / vector) * inner + rest
      return table[(blocks[source] * entries + Int(elements[source])) * vector + along % vector]
    }
  }

  /// The same for the places of a mask; the mask passes through.
  static func lookUpSparse(_ node: MILNode) throws(Diagnostic) -> [Tensor] {
    let (mask, indices) = (try node.required("indices_mask"), try node.required("indices_nonzero_data"))
    let lut = try node.required("lut")
    guard lut.rank == mask.rank + 2, lut.dtype != .string, indices.dtype.isInteger, !indices.dtype.isSigned,
      indices.dtype.bitWidth <= 8, lut.shape[mask.rank] == 1 << indices.dtype.bitWidth
    else { throw wrong("constexpr_lut_to_sparse of \(indices.type) with a table of \(lut.type)") }
    guard lut.shape[mask.rank + 1] == 1 else {
      throw Diagnostic("coreml.compressed", "sparse look-up of vectors is not supported", kind: .unsupported)
    }
    let blocks = try BlockIndex(mask.shape, Array(lut.shape.dropLast(2)))
    let places = try positions(mask, indices)
    let (table, elements, entries) = (lut.doubles, PackedElements(indices), lut.shape[mask.rank])
    return [
      mask,
      Tensor(expanding: lut.dtype, indices.shape) { table[blocks[places[$0]] * entries + Int(elements[$0])] },
    ]
  }

  /// iOS 16: a mask of bits packed into bytes, the shape beside it.
  static func densePacked(_ node: MILNode) throws(Diagnostic) -> Tensor {
    let (packed, data) = (try node.required("mask"), try node.required("nonzero_data"))
    let shape = try extents(node)
    guard packed.dtype == .uint8, let count = shape.checkedProduct, count <= maximumTensorBytes / 8,
      packed.count == (count + 7) / 8
    else { throw wrong("a mask of \(packed.type) for shape \(shape)") }
    let bits = PackedElements(packed, width: 1)
    return try scattered((0..<count).filter { bits[$0] != 0 }, data, shape)
  }

  static func dense(_ node: MILNode) throws(Diagnostic) -> Tensor {
    let (mask, data) = (try node.required("mask"), try node.required("nonzero_data"))
    return try scattered(try positions(mask, data), data, mask.shape)
  }

  private static func scattered(_ places: [Int], _ data: Tensor, _ shape: [Int]) throws(Diagnostic) -> Tensor {
    guard places.count == data.count, data.dtype != .string else {
      throw wrong("a mask has \(places.count) places for \(data.count) elements")
    }
    let elements = PackedElements(data)
    var next = 0
    return Tensor(expanding: data.dtype, shape) { index in
      guard next < places.count, places[next] == index else { return 0 }
      next += 1
      return elements[next - 1]
    }
  }

  private static func extents(_ node: MILNode) throws(Diagnostic) -> [Int] {
    let shape = try node.required("shape")
    guard shape.dtype.isInteger, shape.rank == 1, shape.count <= 64 else { throw wrong("the shape is \(shape.type)") }
    return shape.integers
  }
}
