import MLCCore
import MLCGraph

/// `y = √x`, elementwise. NaN below 0.
/// Source: MIL `sqrt`, ONNX `Sqrt`.
package struct Sqrt: ElementwiseUnary {
  package static let schema = Schema<Sqrt>("sqrt", [.input("x")])
  package init() {}

  package func apply(_ x: Double) -> Double { x.squareRoot() }
}
