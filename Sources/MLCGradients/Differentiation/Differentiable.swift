import MLCCore
import MLCGraph
import MLCOps

/// An operator that says the gradients of its operands: for a loss ℓ, `∂ℓ/∂operand` from `∂ℓ/∂result`.
package protocol Differentiable: Operator {
  /// Why there are no gradients for an operation on these operands; `nil` where there are.
  func gradientObstacle(_ inputs: Operands<Fact>) -> String?
  /// Gives the context the gradients of those operands that it wants.
  func differentiate(_ context: inout GradientContext) throws(Diagnostic)
}

extension Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? { nil }
}

/// An operator whose gradients are those of other operations that mean the same. A training function has these in its
/// place.
package protocol Composite: Operator {
  /// Why an operation on these operands has no parts; `nil` where it has.
  func partsObstacle(_ inputs: Operands<Fact>) -> String?
  /// The results, made of operators that are `Differentiable` or without gradients.
  func parts(_ inputs: Operands<ValueID>, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID]
}

extension Composite {
  package func partsObstacle(_ inputs: Operands<Fact>) -> String? { nil }
}
