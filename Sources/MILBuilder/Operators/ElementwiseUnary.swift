// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `abs`, since iOS 15.
  public func abs(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("abs", ["x": x], name, file, line)
  }

  /// MIL's `acos`, since iOS 15.
  public func acos(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("acos", ["x": x], name, file, line)
  }

  /// MIL's `asin`, since iOS 15.
  public func asin(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("asin", ["x": x], name, file, line)
  }

  /// MIL's `atan`, since iOS 15.
  public func atan(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("atan", ["x": x], name, file, line)
  }

  /// MIL's `atanh`, since iOS 15.
  public func atanh(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("atanh", ["x": x], name, file, line)
  }

  /// MIL's `cast`, since iOS 15.
  public func cast(
    x: any Argument, dtype: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("cast", ["x": x, "dtype": dtype], name, file, line)
  }

  /// MIL's `ceil`, since iOS 15.
  public func ceil(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("ceil", ["x": x], name, file, line)
  }

  /// MIL's `clip`, since iOS 15.
  public func clip(
    x: any Argument, alpha: any Argument, beta: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("clip", ["x": x, "alpha": alpha, "beta": beta], name, file, line)
  }

  /// MIL's `cos`, since iOS 15.
  public func cos(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("cos", ["x": x], name, file, line)
  }

  /// MIL's `cosh`, since iOS 15.
  public func cosh(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("cosh", ["x": x], name, file, line)
  }

  /// MIL's `erf`, since iOS 15.
  public func erf(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("erf", ["x": x], name, file, line)
  }

  /// MIL's `exp`, since iOS 15.
  public func exp(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("exp", ["x": x], name, file, line)
  }

  /// MIL's `exp2`, since iOS 15.
  public func exp2(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("exp2", ["x": x], name, file, line)
  }

  /// MIL's `floor`, since iOS 15.
  public func floor(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("floor", ["x": x], name, file, line)
  }

  /// MIL's `inverse`, since iOS 15.
  public func inverse(
    x: any Argument, epsilon: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("inverse", ["x": x, "epsilon": epsilon], name, file, line)
  }

  /// MIL's `log`, since iOS 15.
  public func log(
    x: any Argument, epsilon: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("log", ["x": x, "epsilon": epsilon], name, file, line)
  }

  /// MIL's `logical_not`, since iOS 15.
  public func logical_not(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("logical_not", ["x": x], name, file, line)
  }

  /// MIL's `round`, since iOS 15.
  public func round(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("round", ["x": x], name, file, line)
  }

  /// MIL's `rsqrt`, since iOS 15.
  public func rsqrt(
    x: any Argument, epsilon: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("rsqrt", ["x": x, "epsilon": epsilon], name, file, line)
  }

  /// MIL's `sign`, since iOS 15.
  public func sign(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sign", ["x": x], name, file, line)
  }

  /// MIL's `sin`, since iOS 15.
  public func sin(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sin", ["x": x], name, file, line)
  }

  /// MIL's `sinh`, since iOS 15.
  public func sinh(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sinh", ["x": x], name, file, line)
  }

  /// MIL's `sqrt`, since iOS 15.
  public func sqrt(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sqrt", ["x": x], name, file, line)
  }

  /// MIL's `square`, since iOS 15.
  public func square(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("square", ["x": x], name, file, line)
  }

  /// MIL's `tan`, since iOS 15.
  public func tan(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("tan", ["x": x], name, file, line)
  }

  /// MIL's `tanh`, since iOS 15.
  public func tanh(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("tanh", ["x": x], name, file, line)
  }

  /// MIL's `threshold`, since iOS 15.
  public func threshold(
    x: any Argument, alpha: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("threshold", ["x": x, "alpha": alpha], name, file, line)
  }
}
