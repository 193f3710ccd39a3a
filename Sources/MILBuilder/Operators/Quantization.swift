// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `dequantize`, since iOS 17.
  public func dequantize(
    input: any Argument, scale: any Argument, zero_point: (any Argument)? = nil, axis: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("dequantize", ["input": input, "zero_point": zero_point, "scale": scale, "axis": axis], name, file, line)
  }

  /// MIL's `quantize`, since iOS 17.
  public func quantize(
    input: any Argument, scale: any Argument, output_dtype: any Argument, zero_point: (any Argument)? = nil,
    axis: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "quantize",
      [
        "input": input, "zero_point": zero_point, "scale": scale, "axis": axis, "output_dtype": output_dtype
      ],
      name, file, line
    )
  }
}
