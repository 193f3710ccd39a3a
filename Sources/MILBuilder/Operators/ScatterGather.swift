// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `gather`, since iOS 15.
  public func gather(
    x: any Argument, indices: any Argument, axis: (any Argument)? = nil, batch_dims: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "gather",
      [
        "x": x, "indices": indices, "axis": axis, "batch_dims": batch_dims, "validate_indices": validate_indices
      ],
      name, file, line
    )
  }

  /// MIL's `gather_along_axis`, since iOS 15.
  public func gather_along_axis(
    x: any Argument, indices: any Argument, axis: (any Argument)? = nil, validate_indices: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "gather_along_axis",
      [
        "x": x, "indices": indices, "axis": axis, "validate_indices": validate_indices
      ],
      name, file, line
    )
  }

  /// MIL's `gather_nd`, since iOS 15.
  public func gather_nd(
    x: any Argument, indices: any Argument, batch_dims: (any Argument)? = nil, validate_indices: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "gather_nd",
      [
        "x": x, "indices": indices, "batch_dims": batch_dims, "validate_indices": validate_indices
      ],
      name, file, line
    )
  }

  /// MIL's `scatter`, since iOS 15.
  public func scatter(
    data: any Argument, indices: any Argument, updates: any Argument, axis: (any Argument)? = nil,
    mode: (any Argument)? = nil, validate_indices: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "scatter",
      [
        "data": data, "indices": indices, "updates": updates, "axis": axis, "mode": mode,
        "validate_indices": validate_indices
      ],
      name, file, line
    )
  }

  /// MIL's `scatter_along_axis`, since iOS 15.
  public func scatter_along_axis(
    data: any Argument, indices: any Argument, updates: any Argument, axis: (any Argument)? = nil,
    mode: (any Argument)? = nil, validate_indices: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "scatter_along_axis",
      [
        "data": data, "indices": indices, "updates": updates, "axis": axis, "mode": mode,
        "validate_indices": validate_indices
      ],
      name, file, line
    )
  }

  /// MIL's `scatter_nd`, since iOS 15.
  public func scatter_nd(
    data: any Argument, indices: any Argument, updates: any Argument, mode: (any Argument)? = nil,
    validate_indices: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "scatter_nd",
      [
        "data": data, "indices": indices, "updates": updates, "mode": mode, "validate_indices": validate_indices
      ],
      name, file, line
    )
  }
}
