// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `classify`, since iOS 15.
  public func classify(
    probabilities: any Argument, classes: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results("classify", ["probabilities": probabilities, "classes": classes], name, file, line)
  }
}
