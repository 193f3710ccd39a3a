import MILBuilder

/// MobileNetV2 (Sandler et al., 2018) of width 1, whose batch norms are part of the convolutions: weights and biases in
/// the order of the layers.
struct MobileNetV2 {
  let weights: [(weight: Constant, bias: Constant)]
  private let blocks = [
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
  ]

  func build() throws -> ProgramBuilder {
    let program = ProgramBuilder()
    program.metadata["author"] = "Sandler et al."
    try program.function { f in
      var rest = weights[...]
      func convolution(_ x: Value, stride: Int = 1, groups: Int = 1, pad: Int = 0) throws -> Value {
        let (weight, bias) = rest.removeFirst()
        return try f.conv(
          x: x,
          weight: weight,
          bias: bias,
          strides: [stride, stride],
          pad_type: "custom",
          pad: [pad, pad, pad, pad],
          groups: groups
        )
      }
      func relu6(_ x: Value) throws -> Value { try f.clip(x: x, alpha: 0.0, beta: 6.0) }
      let input = try f.input("input", shape: [1, 3, 224, 224])
      var x = try relu6(convolution(input, stride: 2, pad: 1))
      for (expansion, _, count, stride) in blocks {
        for place in 0..<count {
          let step = place == 0 ? stride : 1
          var y = expansion == 1 ? x : try relu6(convolution(x))
          y = try relu6(convolution(y, stride: step, groups: y.shape[1] ?? 0, pad: 1))
          y = try convolution(y)
          x = step == 1 && y.shape == x.shape ? try f.add(x: x, y: y) : y
        }
      }
      x = try relu6(convolution(x))
      let pooled = try f.reduce_mean(x: x, axes: [-1, -2], keep_dims: true)
      let (weight, bias) = rest.removeFirst()
      let flat = try f.reshape(x: pooled, shape: [1, weight.shape[1]])
      try f.output("logits", f.linear(x: flat, weight: weight, bias: bias, name: "logits"))
    }
    return program
  }
}
