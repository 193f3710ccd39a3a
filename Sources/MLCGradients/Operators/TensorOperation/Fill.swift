import MLCCore
import MLCGraph
import MLCOps

extension Fill: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    try context.give(.value(try context.gradient()), to: "value")
  }
}
