// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `conv`, since iOS 15.
  public func conv(
    x: any Argument, weight: any Argument, bias: (any Argument)? = nil, strides: (any Argument)? = nil,
    pad_type: (any Argument)? = nil, pad: (any Argument)? = nil, dilations: (any Argument)? = nil,
    groups: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "conv",
      [
        "x": x, "weight": weight, "bias": bias, "strides": strides, "pad_type": pad_type, "pad": pad,
        "dilations": dilations, "groups": groups
      ],
      name, file, line
    )
  }

  /// MIL's `conv_quantized`, since iOS 15.
  public func conv_quantized(
    x: any Argument, weight: any Argument, quantization_type: any Argument, quant_scale: any Argument,
    quant_bias: any Argument, bias: (any Argument)? = nil, nbits: (any Argument)? = nil, strides: (any Argument)? = nil,
    pad_type: (any Argument)? = nil, pad: (any Argument)? = nil, dilations: (any Argument)? = nil,
    groups: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "conv_quantized",
      [
        "x": x, "weight": weight, "bias": bias, "quantization_type": quantization_type, "nbits": nbits,
        "quant_scale": quant_scale, "quant_bias": quant_bias, "strides": strides, "pad_type": pad_type, "pad": pad,
        "dilations": dilations, "groups": groups
      ],
      name, file, line
    )
  }

  /// MIL's `conv_transpose`, since iOS 15.
  public func conv_transpose(
    x: any Argument, weight: any Argument, bias: (any Argument)? = nil, pad: (any Argument)? = nil,
    output_shape: (any Argument)? = nil, pad_type: (any Argument)? = nil, strides: (any Argument)? = nil,
    dilations: (any Argument)? = nil, groups: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "conv_transpose",
      [
        "x": x, "weight": weight, "bias": bias, "pad": pad, "output_shape": output_shape, "pad_type": pad_type,
        "strides": strides, "dilations": dilations, "groups": groups
      ],
      name, file, line
    )
  }
}
