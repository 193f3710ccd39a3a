import MLCCore

/// Compressed constants, expanded: what each `constexpr_…` operator computes. Data come as attributes or as arguments.
enum MILConstexpr {
  typealias Expand = @Sendable (MILNode) throws(Diagnostic) -> [Tensor]

  static let table: [String: Expand] = [
    "constexpr_affine_dequantize": { (node) throws(Diagnostic) in [try affine(node)] },
    "constexpr_blockwise_shift_scale": { (node) throws(Diagnostic) in [try blockwise(node)] },
    "constexpr_cast": { (node) throws(Diagnostic) in [try cast(node)] },
    "constexpr_lut_to_dense": { (node) throws(Diagnostic) in
      [node.attributes["shape"] == nil ? try lookUp(node) : try lookUpPacked(node)]
    },
    "constexpr_lut_to_sparse": { (node) throws(Diagnostic) in try lookUpSparse(node) },
    "constexpr_sparse_blockwise_shift_scale": { (node) throws(Diagnostic) in try sparseBlockwise(node) },
    "constexpr_sparse_to_dense": { (node) throws(Diagnostic) in
      [node.attributes["shape"] == nil ? try dense(node) : try densePacked(node)]
    },
  ]

  static func wrong(_ what: String) -> Diagnostic { Diagnostic("coreml.compressed", what) }

  private static func cast(_ node: MILNode) throws(Diagnostic) -> Tensor {
    let source = try node.required("source_val")
    guard source.dtype.isFloat, let dtype = DType(rawValue: try node.text("output_dtype") ?? "fp32"), dtype.isFloat else {
      throw wrong("constexpr_cast converts floats")
    }
    return Tensor(expanding: dtype, source.shape, from: { PackedElements(source)[$0] })
  }

  /// `(q − zero_point) · scale`, both scalars or vectors along `axis`.
  private static func affine(_ node: MILNode) throws(Diagnostic) -> Tensor {
    let (data, zero, scale) = (
      try node.required("quantized_data"), try node.required("zero_point"), try node.required("scale")
    )
    let axis = try node.integer("axis") ?? 0
    guard scale.dtype.isFloat, data.dtype.isInteger, zero.dtype != .string, data.shape.indices.contains(axis) || data.rank == 0
    else { throw wrong("constexpr_affine_dequantize of \(data.type) along axis \(axis)") }
    let extent = data.rank == 0 ? 1 : data.shape[axis]
    for vector in [zero, scale] where vector.count != 1 && vector.count != extent {
      throw wrong("\(vector.count) scales or zero points for an extent of \(extent)")
    }
    let inner = data.rank == 0 ? 1 : data.shape[(axis + 1)...].reduce(1, *)
    let (zeros, scales, elements) = (zero.doubles, scale.doubles, PackedElements(data))
    return Tensor(expanding: scale.dtype, data.shape) { index in
      let channel = index / inner % extent
      return (elements[index] - zeros[zeros.count == 1 ? 0 : channel]) * scales[scales.count == 1 ? 0 : channel]
    }
  }

  /// `(data − offset) · scale`, scales and offsets one a block.
  private static func blockwise(_ node: MILNode) throws(Diagnostic) -> Tensor {
    let (data, scale, offset) = (try node.required("data"), try node.required("scale"), try node.constant("offset"))
    let blocks = try BlockIndex(data.shape, scale.shape)
    guard scale.dtype.isFloat, data.dtype != .string, offset == nil || offset?.shape == scale.shape, offset?.dtype != .string
    else { throw wrong("scales are \(scale.type) for \(data.type)") }
    let (scales, offsets, elements) = (scale.doubles, offset?.doubles, PackedElements(data))
    return Tensor(expanding: scale.dtype, data.shape) { index in
      let block = blocks[index]
      return (elements[index] - (offsets?[block] ?? 0)) * scales[block]
    }
  }

  private static func sparseBlockwise(_ node: MILNode) throws(Diagnostic) -> [Tensor] {
    let (mask, data) = (try node.required("data_mask"), try node.required("nonzero_data"))
    let (scale, offset) = (try node.required("scale"), try node.constant("offset"))
    let blocks = try BlockIndex(mask.shape, scale.shape)
    let places = try positions(mask, data)
    guard scale.dtype.isFloat, offset == nil || offset?.shape == scale.shape, offset?.dtype != .string else {
      throw wrong("scales are \(scale.type) for \(mask.type)")
    }
    let (scales, offsets, elements) = (scale.doubles, offset?.doubles, PackedElements(data))
    let values = Tensor(expanding: scale.dtype, data.shape) { index in
      let block = blocks[places[index]]
      return (elements[index] - (offsets?[block] ?? 0)) * scales[block]
    }
    return [mask, values]
  }

  /// Where the mask is set; as many places as there are elements.
  static func positions(_ mask: Tensor, _ data: Tensor) throws(Diagnostic) -> [Int] {
    guard mask.dtype.isInteger || mask.dtype == .bool, data.dtype != .string, data.rank == 1 else {
      throw wrong("a sparse constant has mask \(mask.type) and elements \(data.type)")
    }
    let bits = PackedElements(mask)
    let places = (0..<mask.count).filter { bits[$0] != 0 }
    guard places.count == data.count else {
      throw wrong("a mask has \(places.count) places for \(data.count) elements")
    }
    return places
  }
}
