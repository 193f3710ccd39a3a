// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `reduce_argmax`, since iOS 15.
  public func reduce_argmax(
    x: any Argument, axis: (any Argument)? = nil, keep_dims: (any Argument)? = nil, output_dtype: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "reduce_argmax",
      [
        "x": x, "axis": axis, "keep_dims": keep_dims, "output_dtype": output_dtype
      ],
      name, file, line
    )
  }

  /// MIL's `reduce_argmin`, since iOS 15.
  public func reduce_argmin(
    x: any Argument, axis: (any Argument)? = nil, keep_dims: (any Argument)? = nil, output_dtype: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "reduce_argmin",
      [
        "x": x, "axis": axis, "keep_dims": keep_dims, "output_dtype": output_dtype
      ],
      name, file, line
    )
  }

  /// MIL's `reduce_l1_norm`, since iOS 15.
  public func reduce_l1_norm(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_l1_norm", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_l2_norm`, since iOS 15.
  public func reduce_l2_norm(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_l2_norm", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_log_sum`, since iOS 15.
  public func reduce_log_sum(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_log_sum", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_log_sum_exp`, since iOS 15.
  public func reduce_log_sum_exp(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_log_sum_exp", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_max`, since iOS 15.
  public func reduce_max(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_max", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_mean`, since iOS 15.
  public func reduce_mean(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_mean", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_min`, since iOS 15.
  public func reduce_min(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_min", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_prod`, since iOS 15.
  public func reduce_prod(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_prod", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_sum`, since iOS 15.
  public func reduce_sum(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_sum", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }

  /// MIL's `reduce_sum_square`, since iOS 15.
  public func reduce_sum_square(
    x: any Argument, axes: (any Argument)? = nil, keep_dims: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("reduce_sum_square", ["x": x, "axes": axes, "keep_dims": keep_dims], name, file, line)
  }
}
