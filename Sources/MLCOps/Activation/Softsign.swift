import MLCCore
import MLCGraph

/// `y = x / (1 + |x|)`, elementwise.
/// Source: MIL `softsign`, ONNX `Softsign`.
package struct Softsign: ElementwiseUnary {
  package static let schema = Schema<Softsign>("softsign", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double {
    x.isInfinite ? (x < 0 ? -1 : 1) : x / (1 + Swift.abs(x))
  }
}
