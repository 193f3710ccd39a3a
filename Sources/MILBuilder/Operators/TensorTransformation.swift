// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `batch_to_space`, since iOS 15.
  public func batch_to_space(
    x: any Argument, block_shape: any Argument, crops: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("batch_to_space", ["x": x, "block_shape": block_shape, "crops": crops], name, file, line)
  }

  /// MIL's `depth_to_space`, since iOS 15.
  public func depth_to_space(
    x: any Argument, block_size: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("depth_to_space", ["x": x, "block_size": block_size], name, file, line)
  }

  /// MIL's `expand_dims`, since iOS 15.
  public func expand_dims(
    x: any Argument, axes: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("expand_dims", ["x": x, "axes": axes], name, file, line)
  }

  /// MIL's `pixel_shuffle`, since iOS 15.
  public func pixel_shuffle(
    x: any Argument, upscale_factor: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("pixel_shuffle", ["x": x, "upscale_factor": upscale_factor], name, file, line)
  }

  /// MIL's `pixel_unshuffle`, since iOS 16.
  public func pixel_unshuffle(
    x: any Argument, downscale_factor: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("pixel_unshuffle", ["x": x, "downscale_factor": downscale_factor], name, file, line)
  }

  /// MIL's `reshape`, since iOS 15.
  public func reshape(
    x: any Argument, shape: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reshape", ["x": x, "shape": shape], name, file, line)
  }

  /// MIL's `reshape_like`, since iOS 16.
  public func reshape_like(
    x: any Argument, ref_tensors: any Argument, begins: any Argument, ends: any Argument, end_masks: any Argument,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "reshape_like",
      [
        "x": x, "ref_tensors": ref_tensors, "begins": begins, "ends": ends, "end_masks": end_masks
      ],
      name, file, line
    )
  }

  /// MIL's `reverse`, since iOS 15.
  public func reverse(
    x: any Argument, axes: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reverse", ["x": x, "axes": axes], name, file, line)
  }

  /// MIL's `reverse_sequence`, since iOS 15.
  public func reverse_sequence(
    x: any Argument, lengths: any Argument, seq_axis: (any Argument)? = nil, batch_axis: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "reverse_sequence",
      [
        "x": x, "lengths": lengths, "seq_axis": seq_axis, "batch_axis": batch_axis
      ],
      name, file, line
    )
  }

  /// MIL's `slice_by_index`, since iOS 15.
  public func slice_by_index(
    x: any Argument, begin: any Argument, end: any Argument, stride: (any Argument)? = nil,
    begin_mask: (any Argument)? = nil, end_mask: (any Argument)? = nil, squeeze_mask: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "slice_by_index",
      [
        "x": x, "begin": begin, "end": end, "stride": stride, "begin_mask": begin_mask, "end_mask": end_mask,
        "squeeze_mask": squeeze_mask
      ],
      name, file, line
    )
  }

  /// MIL's `slice_by_size`, since iOS 15.
  public func slice_by_size(
    x: any Argument, begin: any Argument, size: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("slice_by_size", ["x": x, "begin": begin, "size": size], name, file, line)
  }

  /// MIL's `slice_update`, since iOS 18.
  public func slice_update(
    x: any Argument, update: any Argument, begin: any Argument, end: any Argument, stride: (any Argument)? = nil,
    begin_mask: (any Argument)? = nil, end_mask: (any Argument)? = nil, squeeze_mask: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "slice_update",
      [
        "x": x, "update": update, "begin": begin, "end": end, "stride": stride, "begin_mask": begin_mask,
        "end_mask": end_mask, "squeeze_mask": squeeze_mask
      ],
      name, file, line
    )
  }

  /// MIL's `sliding_windows`, since iOS 15.
  public func sliding_windows(
    x: any Argument, axis: any Argument, size: any Argument, stride: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sliding_windows", ["x": x, "axis": axis, "size": size, "stride": stride], name, file, line)
  }

  /// MIL's `space_to_batch`, since iOS 15.
  public func space_to_batch(
    x: any Argument, block_shape: any Argument, paddings: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("space_to_batch", ["x": x, "block_shape": block_shape, "paddings": paddings], name, file, line)
  }

  /// MIL's `space_to_depth`, since iOS 15.
  public func space_to_depth(
    x: any Argument, block_size: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("space_to_depth", ["x": x, "block_size": block_size], name, file, line)
  }

  /// MIL's `squeeze`, since iOS 15.
  public func squeeze(
    x: any Argument, axes: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("squeeze", ["x": x, "axes": axes], name, file, line)
  }

  /// MIL's `transpose`, since iOS 15.
  public func transpose(
    x: any Argument, perm: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("transpose", ["x": x, "perm": perm], name, file, line)
  }
}
