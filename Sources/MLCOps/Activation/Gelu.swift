import MLCCore
import MLCGraph

/// Gaussian error linear unit, elementwise: `x: T[*S]` → `y: T[*S]`, T floating point.
///
/// `mode` `EXACT`: `x/2·(1 + erf(x/√2))`; `TANH_APPROXIMATION`: `x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))`;
/// `SIGMOID_APPROXIMATION`: `x / (1 + exp(−1.702·x))`. NaN stays NaN; −inf gives NaN.
/// Throws `gelu.mode`, `gelu.dtype`. Source: MIL `gelu`, ONNX `Gelu`.
package struct Gelu: Operator {
  package var mode = "EXACT"

  package static let schema = Schema<Gelu>("gelu", [.input("x"), .attribute("mode", \.mode)])

  package init() {}
  package init(mode: String) { self.mode = mode }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireFloat(inputs["x"], "x")
    guard ["EXACT", "TANH_APPROXIMATION", "SIGMOID_APPROXIMATION"].contains(mode) else {
      throw Diagnostic("gelu.mode", "mode is '\(mode)'")
    }
    return [Fact(inputs["x"].type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    return [Tensor(x.dtype, x.shape, x.doubles.map(apply))]
  }

  private func apply(_ x: Double) -> Double {
    switch mode {
    case "EXACT": x / 2 * (1 + errorFunction(x / 2.0.squareRoot()))
    case "TANH_APPROXIMATION":
      x / 2 * (1 + hyperbolicTangent((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    default: x / (1 + exponential(-1.702 * x))
    }
  }
}
