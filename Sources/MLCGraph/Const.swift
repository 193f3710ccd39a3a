import MLCCore

/// A constant, MIL `const`. No inputs → `y: T[*S]`.
package struct Const: Operator {
  package var val = Tensor(.float32, [], [0.0])

  package static let schema = Schema<Const>("const", [.attribute("val", \.val)])

  package init() {}
  package init(_ value: Tensor) { val = value }

  package func infer(_ inputs: Operands<Fact>) -> [Fact] { [Fact(val)] }
  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] { [val] }
}
