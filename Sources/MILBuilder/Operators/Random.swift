// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `random_bernoulli`, since iOS 15.
  public func random_bernoulli(
    shape: any Argument, prob: (any Argument)? = nil, seed: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("random_bernoulli", ["shape": shape, "prob": prob, "seed": seed], name, file, line)
  }

  /// MIL's `random_categorical`, since iOS 15.
  public func random_categorical(
    x: any Argument, mode: (any Argument)? = nil, size: (any Argument)? = nil, seed: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("random_categorical", ["x": x, "mode": mode, "size": size, "seed": seed], name, file, line)
  }

  /// MIL's `random_normal`, since iOS 15.
  public func random_normal(
    shape: any Argument, mean: (any Argument)? = nil, stddev: (any Argument)? = nil, seed: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("random_normal", ["shape": shape, "mean": mean, "stddev": stddev, "seed": seed], name, file, line)
  }

  /// MIL's `random_uniform`, since iOS 15.
  public func random_uniform(
    shape: any Argument, low: (any Argument)? = nil, high: (any Argument)? = nil, seed: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("random_uniform", ["shape": shape, "low": low, "high": high, "seed": seed], name, file, line)
  }
}
