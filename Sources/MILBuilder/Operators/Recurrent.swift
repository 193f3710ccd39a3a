// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `gru`, since iOS 15.
  public func gru(
    x: any Argument, initial_h: any Argument, weight_ih: any Argument, weight_hh: any Argument,
    bias: (any Argument)? = nil, direction: (any Argument)? = nil, output_sequence: (any Argument)? = nil,
    recurrent_activation: (any Argument)? = nil, activation: (any Argument)? = nil, reset_after: (any Argument)? = nil,
    input_bias: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results(
      "gru",
      [
        "x": x, "initial_h": initial_h, "weight_ih": weight_ih, "weight_hh": weight_hh, "bias": bias,
        "direction": direction, "output_sequence": output_sequence, "recurrent_activation": recurrent_activation,
        "activation": activation, "reset_after": reset_after, "input_bias": input_bias
      ],
      name, file, line
    )
  }

  /// MIL's `lstm`, since iOS 15.
  public func lstm(
    x: any Argument, initial_h: any Argument, initial_c: any Argument, weight_ih: any Argument, weight_hh: any Argument,
    bias: (any Argument)? = nil, peephole: (any Argument)? = nil, weight_ih_back: (any Argument)? = nil,
    weight_hh_back: (any Argument)? = nil, bias_back: (any Argument)? = nil, peephole_back: (any Argument)? = nil,
    direction: (any Argument)? = nil, output_sequence: (any Argument)? = nil,
    recurrent_activation: (any Argument)? = nil, cell_activation: (any Argument)? = nil,
    activation: (any Argument)? = nil, clip: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results(
      "lstm",
      [
        "x": x, "initial_h": initial_h, "initial_c": initial_c, "weight_ih": weight_ih, "weight_hh": weight_hh,
        "bias": bias, "peephole": peephole, "weight_ih_back": weight_ih_back, "weight_hh_back": weight_hh_back,
        "bias_back": bias_back, "peephole_back": peephole_back, "direction": direction,
        "output_sequence": output_sequence, "recurrent_activation": recurrent_activation,
        "cell_activation": cell_activation, "activation": activation, "clip": clip
      ],
      name, file, line
    )
  }

  /// MIL's `rnn`, since iOS 15.
  public func rnn(
    x: any Argument, initial_h: any Argument, weight_ih: any Argument, weight_hh: any Argument,
    bias: (any Argument)? = nil, direction: (any Argument)? = nil, output_sequence: (any Argument)? = nil,
    activation: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results(
      "rnn",
      [
        "x": x, "initial_h": initial_h, "weight_ih": weight_ih, "weight_hh": weight_hh, "bias": bias,
        "direction": direction, "output_sequence": output_sequence, "activation": activation
      ],
      name, file, line
    )
  }
}
