import MLCCore
import MLCGraph

/// `y = min(max(x, 0), 6)`, elementwise.
/// Source: MIL `relu6`, ONNX `Clip`.
package struct Relu6: ElementwiseUnary {
  package static let schema = Schema<Relu6>("relu6", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x < 0 ? 0 : x > 6 ? 6 : x }
}
