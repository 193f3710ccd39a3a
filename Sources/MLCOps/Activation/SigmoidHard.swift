import MLCCore
import MLCGraph

/// `y = min(max(α·x + β, 0), 1)`, elementwise.
/// Source: MIL `sigmoid_hard`, ONNX `HardSigmoid`.
package struct SigmoidHard: ElementwiseUnary {
  package var alpha: Double = 0.2
  package var beta: Double = 0.5

  package static let schema = Schema<SigmoidHard>(
    "sigmoid_hard",
    [.input("x"), .attribute("alpha", \.alpha), .attribute("beta", \.beta)]
  )
  package init() {}
  package init(alpha: Double, beta: Double) {
    (self.alpha, self.beta) = (alpha, beta)
  }

  package func apply(_ x: Double) -> Double {
    let y = alpha * x + beta
    return y < 0 ? 0 : y > 1 ? 1 : y
  }
}
