import MLCCore
import MLCGraph
import MLCOps

extension BroadcastTo: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    try context.give(.value(try context.gradient()), to: "x")
  }
}
