import MLCCore
import MLCGraph

/// `y = x · min(max(x/6 + ½, 0), 1)`, elementwise. NaN at −∞.
/// Source: mlc extension, ONNX `HardSwish`.
package struct HardSwish: ElementwiseUnary {
  package static let schema = Schema<HardSwish>("hard_swish", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double {
    let gate = x / 6 + 0.5
    return x * (gate < 0 ? 0 : gate > 1 ? 1 : gate)
  }
}
