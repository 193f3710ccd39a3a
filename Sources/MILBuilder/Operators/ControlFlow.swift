// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `list_gather`, since iOS 15.
  public func list_gather(
    ls: any Argument, indices: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("list_gather", ["ls": ls, "indices": indices], name, file, line)
  }

  /// MIL's `list_length`, since iOS 15.
  public func list_length(
    ls: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("list_length", ["ls": ls], name, file, line)
  }

  /// MIL's `list_read`, since iOS 15.
  public func list_read(
    ls: any Argument, index: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("list_read", ["ls": ls, "index": index], name, file, line)
  }

  /// MIL's `list_scatter`, since iOS 15.
  public func list_scatter(
    ls: any Argument, indices: any Argument, value: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("list_scatter", ["ls": ls, "indices": indices, "value": value], name, file, line)
  }

  /// MIL's `list_write`, since iOS 15.
  public func list_write(
    ls: any Argument, index: any Argument, value: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("list_write", ["ls": ls, "index": index, "value": value], name, file, line)
  }

  /// MIL's `make_list`, since iOS 15.
  public func make_list(
    elem_shape: any Argument, init_length: (any Argument)? = nil, dynamic_length: (any Argument)? = nil,
    dtype: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "make_list",
      [
        "init_length": init_length, "dynamic_length": dynamic_length, "elem_shape": elem_shape, "dtype": dtype
      ],
      name, file, line
    )
  }

  /// MIL's `select`, since iOS 15.
  public func select(
    cond: any Argument, a: any Argument, b: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("select", ["cond": cond, "a": a, "b": b], name, file, line)
  }
}
