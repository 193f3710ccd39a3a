import MLCCore
import MLCGraph

/// Normalisation of each channel of each image: `y = (x − mean) / √(variance + epsilon) · gamma[c] + beta[c]`.
///
/// `x: T[N, C, *D]`, `gamma`, `beta: T[C]?` (ones, zeros) → `y: T[N, C, *D]`, T floating point. Mean and variance (the
/// mean of squares about the mean) are over `D`. NaN spreads over its plane. Throws `instance_norm.gamma`,
/// `instance_norm.beta`, `instance_norm.dtype`. Source: MIL `instance_norm`, ONNX `InstanceNormalization`.
package struct InstanceNorm: Operator {
  package var epsilon = 1e-5

  package static let schema = Schema<InstanceNorm>(
    "instance_norm",
    [
      .input("x", rank: 3...64),
      .input("gamma", rank: 1...1, optional: true),
      .input("beta", rank: 1...1, optional: true),
      .attribute("epsilon", \.epsilon),
    ]
  )

  package init() {}
  package init(epsilon: Double) { self.epsilon = epsilon }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    try requireFloat(x, "x")
    for name in ["gamma", "beta"] {
      try requireSameType(inputs[optional: name], name, as: x)
      try requireVector(inputs[optional: name], name, x.shape[1])
    }
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    _ = try resultShapes(inputs)
    let (gamma, beta) = (inputs[optional: "gamma"]?.doubles, inputs[optional: "beta"]?.doubles)
    let plane = x.shape[2...].reduce(1, *)
    var y = x.doubles
    guard !y.isEmpty else { return [x] }
    y.withUnsafeMutableBufferPointer { y in
      for index in 0..<y.count / plane {
        let run = UnsafeMutableBufferPointer(rebasing: y[index * plane..<(index + 1) * plane])
        run.standardize(epsilon: epsilon)
        let (scale, shift) = (gamma?[index % x.shape[1]] ?? 1, beta?[index % x.shape[1]] ?? 0)
        for i in run.indices { run[i] = run[i] * scale + shift }
      }
    }
    return [Tensor(x.dtype, x.shape, y)]
  }
}
