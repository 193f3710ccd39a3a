// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `avg_pool`, since iOS 15.
  public func avg_pool(
    x: any Argument, kernel_sizes: any Argument, pad_type: any Argument,
    exclude_padding_from_average: (any Argument)? = nil, strides: (any Argument)? = nil, pad: (any Argument)? = nil,
    ceil_mode: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "avg_pool",
      [
        "exclude_padding_from_average": exclude_padding_from_average, "x": x, "kernel_sizes": kernel_sizes,
        "strides": strides, "pad_type": pad_type, "pad": pad, "ceil_mode": ceil_mode
      ],
      name, file, line
    )
  }

  /// MIL's `l2_pool`, since iOS 15.
  public func l2_pool(
    x: any Argument, kernel_sizes: any Argument, pad_type: any Argument, strides: (any Argument)? = nil,
    pad: (any Argument)? = nil, ceil_mode: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "l2_pool",
      [
        "x": x, "kernel_sizes": kernel_sizes, "strides": strides, "pad_type": pad_type, "pad": pad,
        "ceil_mode": ceil_mode
      ],
      name, file, line
    )
  }

  /// MIL's `max_pool`, since iOS 15.
  public func max_pool(
    x: any Argument, kernel_sizes: any Argument, pad_type: any Argument, strides: (any Argument)? = nil,
    pad: (any Argument)? = nil, ceil_mode: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "max_pool",
      [
        "x": x, "kernel_sizes": kernel_sizes, "strides": strides, "pad_type": pad_type, "pad": pad,
        "ceil_mode": ceil_mode
      ],
      name, file, line
    )
  }
}
