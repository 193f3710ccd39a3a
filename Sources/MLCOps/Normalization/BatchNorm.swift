import MLCCore
import MLCGraph

/// Normalisation by given statistics: `y[n, c, …] = (x − mean[c]) / √(variance[c] + epsilon) · gamma[c] + beta[c]`.
///
/// `x: T[N, C, *D]`, `mean`, `variance: S[C]`, `gamma`, `beta: S[C]?` (ones, zeros) → `y: T[N, C, *D]`; T and S
/// floating point, which may differ. A variance below −epsilon gives NaN. Throws `batch_norm.mean`, `.variance`,
/// `.gamma`, `.beta`, `.dtype`. Source: MIL `batch_norm`, ONNX `BatchNormalization`.
package struct BatchNorm: Operator {
  package var epsilon = 1e-5

  package static let schema = Schema<BatchNorm>(
    "batch_norm",
    [
      .input("x", rank: 2...64),
      .input("mean", rank: 1...1),
      .input("variance", rank: 1...1),
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
    for name in ["mean", "variance", "gamma", "beta"] {
      guard let fact = inputs[optional: name] else { continue }
      try requireFloat(fact, name)
      try requireVector(fact, name, x.shape[1])
    }
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    _ = try resultShapes(inputs)
    let (mean, variance) = (inputs["mean"].doubles, inputs["variance"].doubles)
    let (gamma, beta) = (inputs[optional: "gamma"]?.doubles, inputs[optional: "beta"]?.doubles)
    let plane = x.shape[2...].reduce(1, *)
    var y = x.doubles
    y.withUnsafeMutableBufferPointer { y in
      for index in 0..<(plane == 0 ? 0 : y.count / plane) {
        let c = index % x.shape[1]
        let root = (variance[c] + epsilon).squareRoot()
        let (scale, shift) = (gamma?[c] ?? 1, beta?[c] ?? 0)
        for i in index * plane..<(index + 1) * plane { y[i] = (y[i] - mean[c]) / root * scale + shift }
      }
    }
    return [Tensor(x.dtype, x.shape, y)]
  }
}
