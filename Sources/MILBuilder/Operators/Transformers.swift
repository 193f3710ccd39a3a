// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `scaled_dot_product_attention`, since iOS 18.
  public func scaled_dot_product_attention(
    query: any Argument, key: any Argument, value: any Argument, attn_mask: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "scaled_dot_product_attention",
      [
        "query": query, "key": key, "value": value, "attn_mask": attn_mask
      ],
      name, file, line
    )
  }
}
