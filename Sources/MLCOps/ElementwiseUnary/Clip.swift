import MLCCore
import MLCGraph

/// `y = min(max(x, α), β)`, elementwise. β wins where α > β.
/// Source: MIL `clip`, ONNX `Clip`.
package struct Clip: ElementwiseUnary {
  package var alpha: Double = -.infinity
  package var beta: Double = .infinity

  package static let schema = Schema<Clip>(
    "clip",
    [.input("x"), .attribute("alpha", \.alpha), .attribute("beta", \.beta)]
  )
  package init() {}
  package init(alpha: Double, beta: Double) {
    (self.alpha, self.beta) = (alpha, beta)
  }

  package func apply(_ x: Double) -> Double {
    let y = x < alpha ? alpha : x
    return y > beta ? beta : y
  }
}
