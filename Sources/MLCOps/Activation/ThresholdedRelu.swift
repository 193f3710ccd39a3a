import MLCCore
import MLCGraph

/// `y = x` where `x > α`, else `0`, also where x is NaN, elementwise.
/// Source: MIL `thresholded_relu`, ONNX `ThresholdedRelu`.
package struct ThresholdedRelu: ElementwiseUnary {
  package var alpha: Double = 1

  package static let schema = Schema<ThresholdedRelu>("thresholded_relu", [.input("x"), .attribute("alpha", \.alpha)])
  package init() {}
  package init(alpha: Double) {
    self.alpha = alpha
  }

  package func apply(_ x: Double) -> Double { x > alpha ? x : 0 }
}
