// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `clamped_relu`, since iOS 15.
  public func clamped_relu(
    x: any Argument, alpha: any Argument, beta: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("clamped_relu", ["x": x, "alpha": alpha, "beta": beta], name, file, line)
  }

  /// MIL's `elu`, since iOS 15.
  public func elu(
    x: any Argument, alpha: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("elu", ["x": x, "alpha": alpha], name, file, line)
  }

  /// MIL's `gelu`, since iOS 15.
  public func gelu(
    x: any Argument, mode: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("gelu", ["x": x, "mode": mode], name, file, line)
  }

  /// MIL's `leaky_relu`, since iOS 15.
  public func leaky_relu(
    x: any Argument, alpha: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("leaky_relu", ["x": x, "alpha": alpha], name, file, line)
  }

  /// MIL's `linear_activation`, since iOS 15.
  public func linear_activation(
    x: any Argument, alpha: any Argument, beta: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("linear_activation", ["x": x, "alpha": alpha, "beta": beta], name, file, line)
  }

  /// MIL's `prelu`, since iOS 15.
  public func prelu(
    x: any Argument, alpha: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("prelu", ["x": x, "alpha": alpha], name, file, line)
  }

  /// MIL's `relu`, since iOS 15.
  public func relu(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("relu", ["x": x], name, file, line)
  }

  /// MIL's `relu6`, since iOS 15.
  public func relu6(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("relu6", ["x": x], name, file, line)
  }

  /// MIL's `scaled_tanh`, since iOS 15.
  public func scaled_tanh(
    x: any Argument, alpha: any Argument, beta: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("scaled_tanh", ["x": x, "alpha": alpha, "beta": beta], name, file, line)
  }

  /// MIL's `sigmoid`, since iOS 15.
  public func sigmoid(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sigmoid", ["x": x], name, file, line)
  }

  /// MIL's `sigmoid_hard`, since iOS 15.
  public func sigmoid_hard(
    x: any Argument, alpha: any Argument, beta: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("sigmoid_hard", ["x": x, "alpha": alpha, "beta": beta], name, file, line)
  }

  /// MIL's `silu`, since iOS 15.
  public func silu(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("silu", ["x": x], name, file, line)
  }

  /// MIL's `softmax`, since iOS 15.
  public func softmax(
    x: any Argument, axis: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("softmax", ["x": x, "axis": axis], name, file, line)
  }

  /// MIL's `softplus`, since iOS 15.
  public func softplus(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("softplus", ["x": x], name, file, line)
  }

  /// MIL's `softplus_parametric`, since iOS 15.
  public func softplus_parametric(
    x: any Argument, alpha: any Argument, beta: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("softplus_parametric", ["x": x, "alpha": alpha, "beta": beta], name, file, line)
  }

  /// MIL's `softsign`, since iOS 15.
  public func softsign(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("softsign", ["x": x], name, file, line)
  }

  /// MIL's `thresholded_relu`, since iOS 15.
  public func thresholded_relu(
    x: any Argument, alpha: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("thresholded_relu", ["x": x, "alpha": alpha], name, file, line)
  }
}
