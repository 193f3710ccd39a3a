// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `einsum`, since iOS 15.
  public func einsum(
    values: any Argument, equation: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("einsum", ["values": values, "equation": equation], name, file, line)
  }

  /// MIL's `linear`, since iOS 15.
  public func linear(
    x: any Argument, weight: any Argument, bias: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("linear", ["x": x, "weight": weight, "bias": bias], name, file, line)
  }

  /// MIL's `matmul`, since iOS 15.
  public func matmul(
    x: any Argument, y: any Argument, transpose_x: (any Argument)? = nil, transpose_y: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("matmul", ["x": x, "y": y, "transpose_x": transpose_x, "transpose_y": transpose_y], name, file, line)
  }
}
