// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `batch_norm`, since iOS 15.
  public func batch_norm(
    x: any Argument, mean: any Argument, variance: any Argument, gamma: (any Argument)? = nil,
    beta: (any Argument)? = nil, epsilon: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "batch_norm",
      [
        "x": x, "mean": mean, "variance": variance, "gamma": gamma, "beta": beta, "epsilon": epsilon
      ],
      name, file, line
    )
  }

  /// MIL's `instance_norm`, since iOS 15.
  public func instance_norm(
    x: any Argument, gamma: (any Argument)? = nil, beta: (any Argument)? = nil, epsilon: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("instance_norm", ["x": x, "gamma": gamma, "beta": beta, "epsilon": epsilon], name, file, line)
  }

  /// MIL's `l2_norm`, since iOS 15.
  public func l2_norm(
    x: any Argument, epsilon: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("l2_norm", ["x": x, "epsilon": epsilon], name, file, line)
  }

  /// MIL's `layer_norm`, since iOS 15.
  public func layer_norm(
    x: any Argument, axes: (any Argument)? = nil, gamma: (any Argument)? = nil, beta: (any Argument)? = nil,
    epsilon: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("layer_norm", ["x": x, "axes": axes, "gamma": gamma, "beta": beta, "epsilon": epsilon], name, file, line)
  }

  /// MIL's `local_response_norm`, since iOS 15.
  public func local_response_norm(
    x: any Argument, size: any Argument, alpha: (any Argument)? = nil, beta: (any Argument)? = nil,
    k: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("local_response_norm", ["x": x, "size": size, "alpha": alpha, "beta": beta, "k": k], name, file, line)
  }
}
