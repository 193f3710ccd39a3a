// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `add`, since iOS 15.
  public func add(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("add", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `equal`, since iOS 15.
  public func equal(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("equal", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `floor_div`, since iOS 15.
  public func floor_div(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("floor_div", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `greater`, since iOS 15.
  public func greater(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("greater", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `greater_equal`, since iOS 15.
  public func greater_equal(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("greater_equal", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `less`, since iOS 15.
  public func less(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("less", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `less_equal`, since iOS 15.
  public func less_equal(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("less_equal", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `logical_and`, since iOS 15.
  public func logical_and(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("logical_and", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `logical_or`, since iOS 15.
  public func logical_or(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("logical_or", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `logical_xor`, since iOS 15.
  public func logical_xor(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("logical_xor", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `maximum`, since iOS 15.
  public func maximum(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("maximum", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `minimum`, since iOS 15.
  public func minimum(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("minimum", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `mod`, since iOS 15.
  public func mod(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("mod", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `mul`, since iOS 15.
  public func mul(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("mul", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `not_equal`, since iOS 15.
  public func not_equal(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("not_equal", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `pow`, since iOS 15.
  public func pow(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("pow", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `real_div`, since iOS 15.
  public func real_div(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("real_div", ["x": x, "y": y], name, file, line)
  }

  /// MIL's `sub`, since iOS 15.
  public func sub(
    x: any Argument, y: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sub", ["x": x, "y": y], name, file, line)
  }
}
