// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `constexpr_affine_dequantize`, since iOS 16.
  public func constexpr_affine_dequantize(
    quantized_data: any Argument, zero_point: any Argument, scale: any Argument, axis: any Argument,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "constexpr_affine_dequantize",
      [
        "quantized_data": quantized_data, "zero_point": zero_point, "scale": scale, "axis": axis
      ],
      name, file, line
    )
  }

  /// MIL's `constexpr_blockwise_shift_scale`, since iOS 18.
  public func constexpr_blockwise_shift_scale(
    data: any Argument, scale: any Argument, offset: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("constexpr_blockwise_shift_scale", ["data": data, "scale": scale, "offset": offset], name, file, line)
  }

  /// MIL's `constexpr_cast`, since iOS 16.
  public func constexpr_cast(
    source_val: any Argument, output_dtype: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("constexpr_cast", ["source_val": source_val, "output_dtype": output_dtype], name, file, line)
  }

  /// MIL's `constexpr_lut_to_dense`, since iOS 16.
  public func constexpr_lut_to_dense(
    indices: any Argument, lut: any Argument, shape: (any Argument)? = nil, vector_axis: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "constexpr_lut_to_dense",
      [
        "indices": indices, "lut": lut, "shape": shape, "vector_axis": vector_axis
      ],
      name, file, line
    )
  }

  /// MIL's `constexpr_lut_to_sparse`, since iOS 18.
  public func constexpr_lut_to_sparse(
    indices_mask: any Argument, indices_nonzero_data: any Argument, lut: any Argument,
    vector_axis: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results(
      "constexpr_lut_to_sparse",
      [
        "indices_mask": indices_mask, "indices_nonzero_data": indices_nonzero_data, "lut": lut,
        "vector_axis": vector_axis
      ],
      name, file, line
    )
  }

  /// MIL's `constexpr_sparse_blockwise_shift_scale`, since iOS 18.
  public func constexpr_sparse_blockwise_shift_scale(
    data_mask: any Argument, nonzero_data: any Argument, scale: any Argument, offset: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results(
      "constexpr_sparse_blockwise_shift_scale",
      [
        "data_mask": data_mask, "nonzero_data": nonzero_data, "scale": scale, "offset": offset
      ],
      name, file, line
    )
  }

  /// MIL's `constexpr_sparse_to_dense`, since iOS 16.
  public func constexpr_sparse_to_dense(
    nonzero_data: any Argument, mask: any Argument, shape: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "constexpr_sparse_to_dense",
      [
        "nonzero_data": nonzero_data, "mask": mask, "shape": shape
      ],
      name, file, line
    )
  }
}
